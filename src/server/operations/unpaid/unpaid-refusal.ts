import type { UnpaidClient } from '#records/fees/unpaid-clients.ts';
import { stageAt, UNPAID_DAYS, unpaidStage } from '#rules/fees/unpaid-fee.ts';
import { longDate } from '#rules/long-date.ts';
import { utcDate } from '#units/instant.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

/** Why the account of a client may not be closed; null when it may. */
export function unpaidRefusal({ email, oldest, running, marketAt }: UnpaidClient): Refused | null {
  if (marketAt === null)
    return refuse('illegal_move', 'The market time is unknown: start the product first.');
  if (oldest === null) return refuse('illegal_move', `${email} has no overdue fee bill.`);
  if (unpaidStage(oldest.dueAt, marketAt) !== 'closable')
    return refuse(
      'illegal_move',
      `The oldest bill of ${email} was due on ${longDate(utcDate(oldest.dueAt))}: an account may be closed ${UNPAID_DAYS.closable} days after that, on ${longDate(utcDate(stageAt('closable', oldest.dueAt)))}.`,
    );
  return running === 0
    ? refuse('already_decided', `Nothing of ${email} trades: every deployment is paused or has ended.`)
    : null;
}
