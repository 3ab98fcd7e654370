import type { FeeBill } from '#contract/fees.ts';
import { stageAt, type UnpaidStage } from '#rules/fees/unpaid-fee.ts';
import { isoText, parseInstant } from '#units/instant.ts';
import { showDate } from '../kit/figure/show-figure.ts';

/** What follows if the bill stays unpaid, or has followed. */
export function unpaidConsequence({ due_at, unpaid_stage: stage }: FeeBill): string {
  const due = parseInstant(due_at);
  const day = (step: UnpaidStage) => showDate(isoText(stageAt(step, due)));
  if (stage === 'closable') return 'Our support may now close your account. Nothing you hold is sold.';
  if (stage === 'stopped')
    return `No new positions are opened until it is paid. From ${day('closable')} our support may close your account.`;
  return `If it is unpaid on ${day('stopped')}, no new positions are opened in any of your deployments.`;
}
