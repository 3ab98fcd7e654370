import type { JobData } from '#records/jobs/queues.ts';

/** What the thread that renews published results is asked, one at a time. */
export type ToResults = JobData['result-renewals'];

export type FromResults = { readonly failure: Error | null };
