import { signal } from "@preact/signals";
import { render } from "preact";

import { type Job, fetchJob } from "./api";
import { JobList } from "./job-list";

const ids = new URLSearchParams(location.search).getAll("job").map(Number);
const jobs = signal<Job[]>([]);
const now = signal(new Date());

async function refresh(server: string): Promise<void> {
  const found = await Promise.all(ids.map((id) => fetchJob(server, id)));
  jobs.value = found.filter((job) => job !== null);
  now.value = new Date();
}

function App() {
  return <JobList jobs={jobs.value} now={now.value} />;
}

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
  void refresh(location.origin);
  setInterval(() => void refresh(location.origin), 5000);
}
