import type { JobData } from '#records/jobs/queues.ts';
import type { ClockReading } from '../wiring/world.ts';

/** What the thread that renews published results is asked, one at a time. */
export type ToResults = JobData['result-renewals'] & {
  /** The market's clock now. */
  readonly clock: ClockReading;
};

export type FromResults = { readonly failure: Error | null };
