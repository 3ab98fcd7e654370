// Taking money, in our words. An adapter promises that one reference is paid once, however often and by however many it is
// charged; that an outcome it does not know is never called a success; and that after 'declined' nothing is left to pay.
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Currency, Micro } from '#units/money.ts';

export type Payer = { readonly userId: UserId; readonly email: string };

export type Charge = {
  /** Our id, the same for each repetition of one payment. */
  readonly reference: string;
  readonly payer: Payer;
  /** Above zero. */
  readonly amount: Micro;
  readonly currency: Currency;
  /** What the payer reads. */
  readonly description: string;
};

export const DECLINES = ['no_means', 'insufficient_funds', 'expired', 'withdrawn', 'refused'] as const;
/** no_means: no card is saved. withdrawn: another request of the payer took its place. */
export type Decline = (typeof DECLINES)[number];

type Paid = {
  readonly outcome: 'paid';
  readonly vendorReference: string;
  /** In whole cents: less than asked by a part of one. */
  readonly amount: Micro;
};

/** No answer, or none that says enough: it is asked again under the same reference. `reason` is for the log. */
type Unavailable = { readonly outcome: 'unavailable'; readonly reason: string };

export type ChargeOutcome =
  | Paid
  /**
   * The payer must confirm it with their bank, at this page of the vendor, which leads nowhere else. It stays open until it is
   * withdrawn.
   */
  | { readonly outcome: 'to_confirm'; readonly pageUrl: string }
  | { readonly outcome: 'declined'; readonly why: Decline }
  | Unavailable;

/** What is known of a reference. 'none': nothing was ever asked for under it, or all of it was withdrawn. */
export type FoundCharge =
  | Paid
  | { readonly outcome: 'open'; readonly pageUrl: string | null }
  | { readonly outcome: 'none' }
  | Unavailable;

export type Refund = {
  /** Our id, the same for each repetition of one refund. */
  readonly id: string;
  /** Of the charge. */
  readonly reference: string;
  readonly payer: Payer;
  readonly amount: Micro;
};

export type RefundOutcome =
  | { readonly outcome: 'made'; readonly vendorReference: string }
  /** It can never be made as asked. `reason` is for staff: a code of ours, or what the vendor says. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | Unavailable;

export type PageOutcome = { readonly outcome: 'page'; readonly url: string } | Unavailable;

export type PaymentsPort = {
  readonly vendor: string;
  /** False where a payment is only recorded: no card is requested and nothing is taken. */
  readonly takesMoney: boolean;
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** Asks what became of a charge. */
  find(asked: Pick<Charge, 'reference' | 'payer'>): Promise<FoundCharge>;
  /** Nothing is left to pay afterwards: 'none', or what was paid before it came. */
  withdraw(asked: Pick<Charge, 'reference' | 'payer'>): Promise<FoundCharge>;
  refund(refund: Refund): Promise<RefundOutcome>;
  findDispute(id: string): Promise<{ readonly outcome: 'found'; readonly dispute: Dispute } | Unavailable>;
  /** Who the payer is, their cards included. Repeating it changes nothing; what was paid stays in the vendor's books. */
  erase(userId: UserId): Promise<{ readonly outcome: 'erased' } | Unavailable>;
  /**
   * A page of the vendor's where the payer saves a card or changes it; null where none is needed. Coming back from it at
   * `returnUrl` proves nothing.
   */
  readonly openMeansPage:
    | ((asked: { readonly payer: Payer; readonly returnUrl: string }) => Promise<PageOutcome>)
    | null;
  /** Null where the vendor sends no notices. */
  readonly notices: PaymentNotices | null;
};

export type PaymentNotices = {
  /**
   * Takes a notice. One without a valid and recent signature over exactly these bytes is refused. What it says is a hint to
   * ask: notices may be late, repeated and in any order.
   */
  take(body: Uint8Array, signature: string): Promise<PaymentNotice | 'refused'>;
};

export type PaymentNotice =
  | { readonly about: 'charge'; readonly reference: string }
  | { readonly about: 'refund'; readonly id: string }
  | { readonly about: 'dispute'; readonly id: string }
  | { readonly about: 'nothing' };

/** A payer asked their bank to take a payment back. As the vendor has it now. */
export type Dispute = {
  readonly id: string;
  /** Of the charge; null where it is none of ours. */
  readonly reference: string | null;
  readonly amount: Micro;
  /** The vendor's word. */
  readonly why: string;
  readonly status: 'open' | 'won' | 'lost';
  /** Until when the vendor takes our answer; null where it says none. */
  readonly respondBy: Instant | null;
};

/** Its message is for the log. */
export class PaymentsUnavailable extends Error {}
