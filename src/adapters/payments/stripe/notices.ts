// The vendor's signed notices. One is only a hint: what it is about is read again from the vendor, so that a late, repeated
// or overtaken notice says nothing wrong.
import { Stripe } from 'stripe';
import {
  type Dispute,
  type PaymentNotice,
  type PaymentNotices,
  PaymentsUnavailable,
} from '#ports/payments.ts';
import { microOf } from './invoices.ts';
import { referenceOf } from './payment-intents.ts';

/** The vendor's own allowance between signing and arrival. */
const TOLERANCE_SECONDS = 300;

export function createNotices(client: Stripe, secrets: readonly string[]): PaymentNotices {
  return {
    async take(body, signature) {
      const event = verified(client, { body: Buffer.from(body), signature, secrets });
      if (event === null) return 'refused';
      try {
        return await read(client, event);
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        throw new PaymentsUnavailable(error.message, { cause: error });
      }
    },
  };
}

function verified(
  client: Stripe,
  {
    body,
    signature,
    secrets,
  }: { readonly body: Buffer; readonly signature: string; readonly secrets: readonly string[] },
): Stripe.Event | null {
  for (const secret of secrets) {
    try {
      return client.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
    } catch (error) {
      if (
        !(error instanceof Stripe.errors.StripeSignatureVerificationError) &&
        !(error instanceof SyntaxError)
      )
        throw error;
    }
  }
  return null;
}

async function read(client: Stripe, event: Stripe.Event): Promise<PaymentNotice> {
  const named = event.data.object as { readonly id?: string; readonly metadata?: Stripe.Metadata | null };
  const [reference, refund] = [named.metadata?.reference, named.metadata?.refund];
  if (event.type.startsWith('invoice.') && reference !== undefined) return { about: 'charge', reference };
  if (event.type.startsWith('refund.') && refund !== undefined) return { about: 'refund', id: refund };
  if (event.type.startsWith('charge.dispute.') && named.id !== undefined)
    return { about: 'dispute', dispute: await readDispute(client, named.id) };
  return { about: 'nothing' };
}

async function readDispute(client: Stripe, id: string): Promise<Dispute> {
  const { payment_intent: paid, amount, reason, status } = await client.disputes.retrieve(id);
  const intent = paid === null || typeof paid === 'string' ? paid : paid.id;
  return {
    id,
    reference: intent === null ? null : await referenceOf(client, intent),
    amount: microOf(amount),
    why: reason,
    status: OVER[status] ?? 'open',
  };
}

const OVER: Readonly<Record<string, 'won' | 'lost'>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
};
