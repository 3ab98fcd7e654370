// Options on held shares: a closed set of structures, each written again at every monthly expiry. The contract follows
// from the date and closed bars alone, so that it is the same for all deployments and in every backtest.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { TargetWeight } from '../event.ts';
import type { BarSeries } from '../market/bar-series.ts';
import {
  monthlyExpiries,
  type OptionContract,
  optionContract,
  type OptionSettlement,
  strikeStep,
} from '../market/option-contract.ts';

/**
 * covered_call: for every hundred shares held one call is sold. protective_put: one put is bought. cash_secured_put:
 * the money that the rule gives the underlying stays in cash, and puts are sold that it could pay for.
 */
export const OPTION_STRUCTURES = ['covered_call', 'protective_put', 'cash_secured_put'] as const;

export type OptionOverlay = {
  readonly structure: (typeof OPTION_STRUCTURES)[number];
  /** Of the universe; each has its own options. */
  readonly underlyings: readonly Symbol[];
  /** Of the close at which it is chosen: 102 is two percent above. Calls are rounded up to a strike, puts down. */
  readonly strikePercent: number;
  /** shares, unless it says cash: then the options are European, as those on an index are. */
  readonly settlement?: OptionSettlement;
};

/** Raw bars of the underlying, up to and with the bar at `last`. */
export type Known = { readonly bars: BarSeries; readonly last: number };

/** The weights with the structure's options in them; shares come before the options that they cover. */
export function withOptions(
  weights: readonly TargetWeight[],
  overlay: OptionOverlay,
  knownOf: (underlying: Symbol) => Known | null,
): TargetWeight[] {
  let shares = [...weights];
  const options: TargetWeight[] = [];
  for (const underlying of overlay.underlyings) {
    const own = weights.find(({ symbol }) => symbol === underlying)?.weight ?? 0;
    const known = own > 0 ? knownOf(underlying) : null;
    if (known === null || pricedRow(known.bars, known.last) < 0) continue;
    options.push(optionBeside(own, overlay, underlying, known));
    if (overlay.structure === 'cash_secured_put')
      shares = shares.filter(({ symbol }) => symbol !== underlying);
  }
  return [...shares, ...options];
}

function optionBeside(
  own: number,
  overlay: OptionOverlay,
  underlying: Symbol,
  { bars, last }: Known,
): TargetWeight {
  const { structure } = overlay;
  const option = contractOn(overlay, underlying, { bars, last });
  if (structure === 'cash_secured_put') return { symbol: option.symbol, weight: -own };
  const side = structure === 'covered_call' ? -1 : 1;
  return { symbol: option.symbol, weight: (side * own * option.strike) / bars.close[pricedRow(bars, last)]! };
}

/** Whether the options of a structure end with the session of a date, so that new ones are chosen at its close. */
export function optionsEndOn(date: IsoDate): boolean {
  return monthlyExpiries(date, 1)[0] === date;
}

/** Chosen at the last monthly expiry, at that day's close; ends at the next one. */
function contractOn(
  { structure, strikePercent, settlement = 'shares' }: OptionOverlay,
  underlying: Symbol,
  { bars, last }: Known,
): OptionContract {
  const date = dateOf(bars, last);
  const chosenOn = monthlyExpiries(addDays(date, -LONGEST_MONTH), 3).findLast((expiry) => expiry <= date)!;
  let row = last;
  while (row > 0 && dateOf(bars, row) > chosenOn) row--;
  const before = pricedRow(bars, row);
  row = before < 0 ? pricedRow(bars, last) : before;
  const wanted = (bars.close[row]! * strikePercent) / 100;
  const step = strikeStep(bars.close[row]!);
  const isCall = structure === 'covered_call';
  return optionContract({
    underlying,
    settlement,
    right: isCall ? 'call' : 'put',
    strike: (isCall ? Math.ceil(wanted / step) : Math.floor(wanted / step)) * step,
    expiry: monthlyExpiries(addDays(date, 1), 1)[0]!,
  });
}

/** The newest row up to `row` whose close is a price; -1 when there is none. */
function pricedRow({ close }: BarSeries, row: number): number {
  return close.subarray(0, row + 1).findLastIndex((price) => price > 0 && price < Number.POSITIVE_INFINITY);
}

const dateOf = (bars: BarSeries, row: number) => utcDate((bars.closedAt[row]! - 1) as Instant);
const LONGEST_MONTH = 36;
