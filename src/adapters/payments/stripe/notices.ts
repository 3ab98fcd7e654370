// The vendor's signed notices. One is only a hint: what it is about is asked of the vendor, so that a late, repeated or overtaken
// notice says nothing wrong.
import { Stripe } from 'stripe';
import type { PaymentNotice, PaymentNotices } from '#ports/payments.ts';

/** The vendor's own allowance between signing and arrival. */
const TOLERANCE_SECONDS = 300;

export function createNotices(client: Stripe, secrets: readonly string[]): PaymentNotices {
  return {
    async take(body, signature) {
      const event = verified(client, { body: Buffer.from(body), signature, secrets });
      return event === null ? 'refused' : read(event);
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

function read(event: Stripe.Event): PaymentNotice {
  const named = event.data.object as { readonly id?: string; readonly metadata?: Stripe.Metadata | null };
  const [reference, refund] = [named.metadata?.reference, named.metadata?.refund];
  if (event.type.startsWith('invoice.') && reference !== undefined) return { about: 'charge', reference };
  if (event.type.startsWith('refund.') && refund !== undefined) return { about: 'refund', id: refund };
  if (event.type.startsWith('charge.dispute.') && named.id !== undefined)
    return { about: 'dispute', id: named.id };
  return { about: 'nothing' };
}
