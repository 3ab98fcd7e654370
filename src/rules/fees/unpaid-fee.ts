// What follows when a fee bill stays unpaid after its due date, by the trading clock: reminders, then no new exposure, and
// in the end support may close the account. Promises that a step never comes before the one before it, and that every step
// but the last happens by itself.
import { DAY_MS, type Instant, instant } from '#units/instant.ts';

/** In the order in which they come. */
export const UNPAID_STAGES = ['overdue', 'reminded', 'stopped', 'closable'] as const;
export type UnpaidStage = (typeof UNPAID_STAGES)[number];

/** Days after the due date; the agreement names them. */
export const UNPAID_DAYS: Readonly<Record<UnpaidStage, number>> = {
  overdue: 0,
  reminded: 7,
  stopped: 14,
  closable: 30,
};

/** The last step that has come; null before the due date. */
export function unpaidStage(dueAt: Instant, now: Instant): UnpaidStage | null {
  return UNPAID_STAGES.findLast((stage) => now >= stageAt(stage, dueAt)) ?? null;
}

export function stageAt(stage: UnpaidStage, dueAt: Instant): Instant {
  return instant(dueAt + UNPAID_DAYS[stage] * DAY_MS);
}
