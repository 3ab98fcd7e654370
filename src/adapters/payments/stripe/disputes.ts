import type { Stripe } from 'stripe';
import type { Dispute } from '#ports/payments.ts';
import { type Instant, instant, SECOND_MS } from '#units/instant.ts';
import { microOf } from './invoices.ts';
import { referenceOf } from './payment-intents.ts';

export async function readDispute(client: Stripe, id: string): Promise<Dispute> {
  const { payment_intent: paid, amount, reason, status, ...rest } = await client.disputes.retrieve(id);
  const intent = paid === null || typeof paid === 'string' ? paid : paid.id;
  return {
    id,
    reference: intent === null ? null : await referenceOf(client, intent),
    amount: microOf(amount),
    why: reason,
    status: OVER[status] ?? 'open',
    respondBy: dueBy(rest.evidence_details.due_by),
  };
}

const OVER: Readonly<Record<string, 'won' | 'lost'>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
};

/** Whole seconds; the vendor has null or zero where no answer is taken. */
function dueBy(seconds: number | null): Instant | null {
  return seconds ? instant(seconds * SECOND_MS) : null;
}
