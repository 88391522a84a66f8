import type { Job } from "./api";
import { describe } from "./format";

export function JobList(props: { jobs: Job[]; now: Date }) {
  if (props.jobs.length === 0) {
    return <p>No jobs.</p>;
  }
  return (
    <ol>
      {props.jobs.map((job) => (
        <li key={job.id} class={job.state}>
          {describe(job, props.now)}
        </li>
      ))}
    </ol>
  );
}
