import type { Job, JobState } from "./api";

const WORDS: Record<JobState, string> = {
  queued: "waiting",
  taken: "being delivered",
  done: "delivered",
  failed: "could not be delivered",
};

/** How long ago something was, in the largest unit that fits. */
export function age(then: string, now: Date): string {
  const seconds = Math.max(
    0,
    Math.round((now.getTime() - Date.parse(then)) / 1000)
  );
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min`;
  }
  return `${Math.floor(seconds / 3600)} h`;
}

/** One job as a line of text. */
export function describe(job: Job, now: Date): string {
  const parts = [
    `#${job.id}`,
    WORDS[job.state],
    `read ${age(job.readAt, now)} ago`
  ];
  if (job.note !== "") {
    parts.push(job.note);
  }
  return parts.join(", ");
}
