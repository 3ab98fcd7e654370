// What the owner of a deployment reads of an adjustment of its books. Promises to say what counted, what counts now, what
// of it is in suspense, what that does to the money, and why.
import type { Micro } from '#units/money.ts';
import { type Quantity, quantity, quantityText } from '#units/quantity.ts';
import { dollars } from '../dollars.ts';
import { priceText } from '../price-text.ts';

type Trade = { readonly units: Quantity; readonly price: number };

type AdjustmentFacts = {
  readonly symbol: string;
  readonly currency: string;
  /** The booked execution that counts no more. */
  readonly undoes: Trade | null;
  readonly books: Trade | null;
  /** Whether its owner had traded that by hand, out of what the deployment held. */
  readonly isOfExternalTrade?: boolean;
  /** Units of which the books stay as they are, because they are not held any more. */
  readonly shortfall?: Quantity | undefined;
  /** What it adds to the cash. */
  readonly cash: Micro;
  /** The end of a sentence. */
  readonly because: string;
};

/** The end of a sentence. */
export function adjustmentText(facts: AdjustmentFacts): string {
  return `${whatCounts(facts)}${shortText(facts)}; ${cashText(facts.cash)}. Reason: ${facts.because}`;
}

function whatCounts({ symbol, currency, undoes, books, isOfExternalTrade }: AdjustmentFacts): string {
  const at = ({ price }: Trade) => priceText(price, currency);
  if (undoes === null) {
    const trade = books!;
    if (isOfExternalTrade)
      return `${unitsText(trade)} ${symbol} that you ${verb(trade)} manually at ${at(trade)} each are now booked as its own trade`;
    return `${unitsText(trade)} ${symbol} ${trade.units > 0 ? 'added' : 'removed'} at ${at(trade)} each`;
  }
  const reversed = `the ${noun(undoes)} of ${unitsText(undoes)} ${symbol} at ${at(undoes)} was`;
  if (books === null) return `${reversed} reversed`;
  return `${reversed} replaced by a ${noun(books)} of ${unitsText(books)} at ${at(books)}`;
}

function shortText({ shortfall }: AdjustmentFacts): string {
  if (shortfall === undefined) return '';
  return `, except for ${quantityText(shortfall)} that it had already sold: these keep their booked price, and the shortfall is held in a suspense account`;
}

function cashText(cash: Micro): string {
  if (cash === 0) return 'its cash is unchanged';
  const amount = dollars(Math.abs(cash) as Micro);
  return cash > 0 ? `${amount} was added to its cash` : `${amount} was deducted from its cash`;
}

const unitsText = ({ units }: Trade) => quantityText(quantity(Math.abs(units)));
const verb = ({ units }: Trade) => (units > 0 ? 'bought' : 'sold');
const noun = ({ units }: Trade) => (units > 0 ? 'purchase' : 'sale');
