export type JobState = "queued" | "taken" | "done" | "failed";

export interface Job {
  id: number;
  state: JobState;
  note: string;
  readAt: string;
}

/** Fetches one job; null where the server does not know it. */
export async function fetchJob(server: string, id: number): Promise<Job | null> {
  const answer = await fetch(`${server}/jobs/${id}`);
  if (answer.status === 404) {
    return null;
  }
  if (!answer.ok) {
    throw new Error(`job ${id}: the server answered ${answer.status}`);
  }
  return { id, readAt: new Date().toISOString(), ...(await answer.json()) };
}
