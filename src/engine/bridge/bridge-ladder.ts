// What the published record would have come to under a person's own terms, one after the other: from the day on which they
// began, with their limits, with their amount in the broker's units. Each rung is the published backtest run again.
import type { Instant, IsoDate } from '#units/instant.ts';
import { type Micro, micro, notional, scale, ZERO_MICRO } from '#units/money.ts';
import { compileBacktest, rowsOf } from '../backtest/backtest.ts';
import { atDayEnds } from '../backtest/day-ends.ts';
import type { BacktestFill, BacktestResult } from '../backtest/result.ts';
import type { BacktestSettings } from '../backtest/settings.ts';
import { SharedRuns } from '../backtest/shared-runs.ts';
import { summaryRows } from '../backtest/summary-rows.ts';
import { vectorizedBacktest } from '../backtest/vectorized/vectorized-backtest.ts';
import type { EvidenceRunInput } from '../evidence/evidence-run.ts';
import type { Instrument } from '../market/instrument.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';
import { inFractions } from '../rehearsal/in-fractions.ts';
import type { Limits } from '../risk/limits.ts';

export type LadderTerms = {
  /** When the deployment began. */
  readonly start: Instant;
  readonly amount: Micro;
  readonly limits: Limits;
  readonly takesFractions: boolean;
};

/** One value a day, from the last close before the start on. */
export type BridgeLadder = {
  readonly dates: readonly IsoDate[];
  /** What one dollar became since then. */
  readonly published: Float64Array;
  readonly started: Float64Array;
  readonly limited: Float64Array;
  readonly rounded: Float64Array;
  /** What the last rung began with. */
  readonly amount: Micro;
  /** In Micro, of the last rung since its start, as they changed its value. */
  readonly slippage: Float64Array;
  readonly commission: Float64Array;
  readonly income: Float64Array;
};

/** Throws RangeError as the backtest does. Where no bar has closed since the start it has one day. */
export function bridgeLadder(input: EvidenceRunInput, terms: LadderTerms): BridgeLadder {
  const { settings, instruments, definition, series } = input;
  const shared = new SharedRuns(input);
  const compiled = compileBacktest(input, shared);
  const run = (own: Partial<BacktestSettings>, traded = instruments) => {
    const asked = { ...input, settings: { ...settings, ...own }, instruments: traded };
    return atDayEnds(definition, vectorizedBacktest(asked, compiled, rowsOf(asked, compiled), { shared }));
  };
  // Who begins takes over the positions of the newest close, and trades at the next open.
  const { first } = rowsOf({ definition, settings: { ...settings, from: terms.start } }, compiled);
  const earliest = rowsOf({ definition, settings }, compiled).first;
  const from = compiled.table.timeline[Math.max(earliest, first - 1)] as Instant;
  const { amount, limits, takesFractions } = terms;
  const published = run({});
  const started = run({ from });
  const limited = run({ from, limits });
  const own = takesFractions ? inFractions(instruments) : instruments;
  const rounded = run({ from, limits, initialCash: amount }, own);
  const { timeline } = rounded;
  const parts = partsOf(rounded, own, series);
  return {
    dates: summaryRows(timeline, null).dates,
    published: growthSince(published, timeline),
    started: growthOf(started, settings.initialCash),
    limited: growthOf(limited, settings.initialCash),
    rounded: growthOf(rounded, amount),
    amount,
    ...parts,
  };
}

function growthOf({ equity }: BacktestResult, from: number): Float64Array {
  return equity.map((value) => value / from);
}

/** At the rows of `timeline`, which are the last ones of the whole run. */
function growthSince({ equity }: BacktestResult, { length }: Float64Array): Float64Array {
  const rows = equity.subarray(equity.length - length);
  return rows.map((value) => value / rows[0]!);
}

/** What slippage, commission and income made of the value by each row. */
function partsOf(
  result: BacktestResult,
  instruments: EvidenceRunInput['instruments'],
  series: EvidenceRunInput['series'],
): Pick<BridgeLadder, 'slippage' | 'commission' | 'income'> {
  const { timeline, fills, income } = result;
  const traded = fills.map((fill) => ({ ...fill, slipped: slippageOf(fill, instruments, series) }));
  return {
    slippage: sumsBy(timeline, traded, ({ slipped }) => slipped),
    commission: sumsBy(timeline, traded, (fill) => micro(-fill.commission)),
    income: sumsBy(timeline, income, ({ amount }) => amount),
  };
}

function sumsBy<Row extends { readonly at: Instant }>(
  timeline: Float64Array,
  rows: readonly Row[],
  amountOf: (row: Row) => Micro,
): Float64Array {
  let next = 0;
  let sum = 0;
  return timeline.map((at) => {
    for (; next < rows.length && rows[next]!.at <= at; next++) sum += amountOf(rows[next]!);
    return sum;
  });
}

/** Against the open of the bar that it filled in; none for what no order of this strategy's own series did. */
function slippageOf(
  fill: BacktestFill,
  instruments: EvidenceRunInput['instruments'],
  series: EvidenceRunInput['series'],
): Micro {
  const instrument = instruments.get(fill.symbol);
  const bars = series.get(fill.symbol);
  if (instrument === undefined || bars === undefined) return ZERO_MICRO;
  const bar = bars.closedAt.indexOf(fill.at);
  return bar < 0 ? ZERO_MICRO : slippage(fill, bars.open[bar]!, instrument);
}

/** In dollars: what the fill made of the value against having filled at `reference`; negative is a cost. */
export function slippage(
  { side, quantity, price }: Pick<BacktestFill, 'side' | 'quantity' | 'price'>,
  reference: number,
  instrument: Instrument,
): Micro {
  const paid = notional(quantity, price, instrument.multiplier);
  const due = notional(quantity, reference, instrument.multiplier);
  const gained = micro(side === 'buy' ? due - paid : paid - due);
  if (gained === 0 || instrument.currency === 'USD') return gained;
  return scale(gained, dollarsPerQuote(instrument, price, NO_MARKS));
}

const NO_MARKS = new Map<never, number>();
