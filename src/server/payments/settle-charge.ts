// A charge from its row to what the vendor says of it. The row is committed before the vendor is asked, and what was paid is
// booked once, by whoever learns of it first: the request, a notice, or the look for open charges.
import { findCharge, type KeptCharge, waitForPayer, withdrawCharge } from '#records/payments/charges.ts';
import type { ChargeOutcome, Payer } from '#ports/payments.ts';
import { declineText } from '#rules/reasons/payment-decline.ts';
import { MINUTE_MS } from '#units/instant.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';
import { bookCharge } from './book-charge.ts';

export type PaymentDependencies = Pick<Dependencies, 'records' | 'payments' | 'now'>;

/** How long a request may still be asking the vendor; nobody else touches its charge before. */
export const IN_FLIGHT_MS = 5 * MINUTE_MS;

export type Taken =
  | { readonly taken: 'paid' }
  /** The payer confirms it at this page of the vendor. */
  | { readonly taken: 'to_confirm'; readonly pageUrl: string }
  | { readonly taken: 'refused'; readonly refused: Refused };

export const NO_ANSWER = refuse(
  'unavailable',
  'The payment service is not responding. If it took the payment, we book it within minutes; trying again pays once.',
);

/** Asks for what `openCharge` has written. */
export async function takeCharge(
  id: string,
  description: string,
  dependencies: PaymentDependencies,
): Promise<Taken> {
  const { records, payments } = dependencies;
  const charge = await findCharge(records.database, id);
  if (charge === undefined) throw new Error(`charge ${id} was never opened`);
  const outcome = await payments.charge({
    reference: id,
    payer: payerOf(charge),
    amount: charge.amount,
    currency: 'USD',
    description,
  });
  return settle(charge, outcome, dependencies);
}

async function settle(
  charge: KeptCharge,
  outcome: ChargeOutcome,
  dependencies: PaymentDependencies,
): Promise<Taken> {
  const { database } = dependencies.records;
  switch (outcome.outcome) {
    case 'paid':
      await bookCharge(charge, outcome, dependencies);
      return { taken: 'paid' };
    case 'to_confirm':
      await waitForPayer(database, charge.id, outcome.pageUrl);
      return { taken: 'to_confirm', pageUrl: outcome.pageUrl };
    case 'declined': {
      await withdrawCharge(database, charge.id, dependencies.now());
      const { why } = outcome;
      return {
        taken: 'refused',
        refused: refuse('payment_declined', declineText(why), { details: { why } }),
      };
    }
    case 'unavailable':
      return { taken: 'refused', refused: NO_ANSWER };
    default:
      return outcome satisfies never;
  }
}

/**
 * learn: books what was paid. end: also ends what nobody ever asked the vendor for. give_up: leaves nothing to pay at the
 * vendor.
 */
type Wish = 'learn' | 'end' | 'give_up';

/** Asks the vendor what became of it. */
export async function askAboutCharge(
  charge: KeptCharge,
  wish: Wish,
  dependencies: PaymentDependencies,
): Promise<'ended' | 'open' | 'unanswered'> {
  const { records, payments, now } = dependencies;
  const asked = { reference: charge.id, payer: payerOf(charge) };
  const found = wish === 'give_up' ? await payments.withdraw(asked) : await payments.find(asked);
  if (found.outcome === 'unavailable') return 'unanswered';
  if (found.outcome === 'paid') {
    await bookCharge(charge, found, dependencies);
    return 'ended';
  }
  if (found.outcome === 'open' || wish === 'learn') return 'open';
  await withdrawCharge(records.database, charge.id, now());
  return 'ended';
}

export function payerOf({ userId, email }: Payer): Payer {
  return { userId, email };
}
