// Taking money for a subscription, in our words. An adapter promises that one reference is charged once, however often
// it is sent, and that an outcome it does not know is never called a success.
import type { UserId } from '#units/identifiers.ts';
import type { Currency, Micro } from '#units/money.ts';

type Charge = {
  /** Our id, the same for each repetition of one payment. */
  readonly reference: string;
  readonly userId: UserId;
  /** Above zero. */
  readonly amount: Micro;
  readonly currency: Currency;
  /** What the payer reads. */
  readonly description: string;
};

type ChargeOutcome =
  | { readonly outcome: 'paid'; readonly vendorReference: string }
  /** The payer's means were refused; nothing was taken. `reason` is a sentence for the payer. */
  | { readonly outcome: 'declined'; readonly reason: string }
  /** No answer: it may be sent again under the same reference. */
  | { readonly outcome: 'unavailable'; readonly reason: string };

export type PaymentsPort = {
  readonly vendor: string;
  /** False where a payment is only recorded: no card is requested and nothing is taken. */
  readonly takesMoney: boolean;
  charge(charge: Charge): Promise<ChargeOutcome>;
};
