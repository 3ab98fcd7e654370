// What the owner of a deployment reads of a correction of its books. Promises to say what counted, what counts now, what
// of it is kept apart, what that does to the money, and why.
import type { Micro } from '#units/money.ts';
import { type Quantity, quantity, quantityText } from '#units/quantity.ts';
import { dollars } from '../dollars.ts';
import { priceText } from '../price-text.ts';

type Trade = { readonly units: Quantity; readonly price: number };

export type CorrectionFacts = {
  readonly symbol: string;
  readonly currency: string;
  /** The booked execution that counts no more. */
  readonly undoes: Trade | null;
  readonly books: Trade | null;
  /** Whether its owner had traded that by hand, out of what the deployment held. */
  readonly isByHand?: boolean;
  /** Units of which the books stay as they are, because they are not held any more. */
  readonly shortfall?: Quantity | undefined;
  /** What it adds to the cash. */
  readonly cash: Micro;
  /** The end of a sentence. */
  readonly because: string;
};

/** The end of a sentence. */
export function correctionText(facts: CorrectionFacts): string {
  return `${whatCounts(facts)}${shortText(facts)}; ${cashText(facts.cash)}. It was corrected because ${facts.because}`;
}

function whatCounts({ symbol, currency, undoes, books, isByHand }: CorrectionFacts): string {
  const at = ({ price }: Trade) => priceText(price, currency);
  if (undoes === null) {
    const trade = books!;
    if (isByHand)
      return `${unitsText(trade)} ${symbol} that were ${verb(trade)} in your account by hand count as ${verb(trade)} by it at ${at(trade)} each`;
    const done = trade.units > 0 ? 'added to' : 'taken out of';
    return `${unitsText(trade)} ${symbol} were ${done} your books at ${at(trade)} each`;
  }
  const counted = `${unitsText(undoes)} ${symbol} that were booked as ${verb(undoes)} at ${at(undoes)}`;
  if (books === null) return `${counted} count no more`;
  return `${counted} count as ${unitsText(books)} ${verb(books)} at ${at(books)}`;
}

function shortText({ shortfall }: CorrectionFacts): string {
  if (shortfall === undefined) return '';
  return `, but for ${quantityText(shortfall)} that it no longer holds: for those its books stay as they were, and what your account is short of them is kept apart from it`;
}

function cashText(cash: Micro): string {
  if (cash === 0) return 'its cash stays as it was';
  const amount = dollars(Math.abs(cash) as Micro);
  return cash > 0 ? `${amount} were added to its cash` : `${amount} were taken out of its cash`;
}

const unitsText = ({ units }: Trade) => quantityText(quantity(Math.abs(units)));
const verb = ({ units }: Trade) => (units > 0 ? 'bought' : 'sold');
