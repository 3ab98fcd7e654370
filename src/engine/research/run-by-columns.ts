// The same research run as run-by-events, bit for bit, as one pass over columns with the portfolio held in numbers.
// Flat stretches are skipped from signal to signal, and nothing is allocated for a bar or a fill.
import { micro, MICRO_PER_UNIT } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import type { SignalRule } from '../strategy/definition.ts';
import { prepare, type PreparedInstrument } from '../strategy/prepare.ts';
import type { ResearchInput, ResearchResult } from './execution.ts';
import { FillLog } from './fill-log.ts';
import {
  commissionMicro,
  entryPrice,
  entryQuantity,
  type ExitLevels,
  exitLevels,
  exitWithin,
} from './fill-rules.ts';
import { requireResearchable } from './researchable.ts';
import { RoundTripLog } from './round-trip-log.ts';
import { signalCodes, wishOf } from './signal-codes.ts';

export function runByColumns(input: ResearchInput): ResearchResult {
  const rule = requireResearchable(input);
  return runPrepared(input, prepare(input.definition, input.series).instruments[0]!, rule);
}

/** The same over columns that are there already. */
export function runPrepared(
  input: ResearchInput,
  prepared: PreparedInstrument,
  rule: SignalRule,
): ResearchResult {
  const { bars } = prepared;
  const codes = signalCodes(prepared, rule);
  const book = new ColumnBook(input);
  const equity = new Float64Array(bars.length);
  const { open, close } = bars;
  const { length } = bars;
  const sameClose = input.execution.fill === 'same_close';
  const repeats = input.execution.repeatedSignal === 'reopens';
  const { exits } = input.definition;
  const protects = exits.stopPercent !== undefined || exits.targetPercent !== undefined;
  let i = Math.min(prepared.readyBar, length);
  book.stay(equity, 0, i);
  let wish = NOTHING;
  while (i < length) {
    if (wish !== NOTHING) {
      const market = sameClose ? close[i - 1]! : open[i]!;
      const dated = sameClose ? i - 1 : i;
      if (wish.closes && book.side !== 0) book.close(dated, market);
      if (wish.opens !== 0) book.open(dated, market, { direction: wish.opens, signalClose: close[i - 1]! });
      wish = NOTHING;
    }
    const from = i;
    const asked = codesOf(book.side, repeats);
    if (protects && book.side !== 0) {
      const { high, low } = bars;
      let exit = Number.NaN;
      for (; i < length; i++) {
        exit = exitWithin(book.levels, book.side, { open: open[i]!, high: high[i]!, low: low[i]! });
        if (!Number.isNaN(exit) || (codes[i]! & asked) !== 0) break;
      }
      book.mark(equity, { from, to: i, close });
      if (i === length) break;
      if (!Number.isNaN(exit)) book.close(i, exit);
      book.mark(equity, { from: i, to: i + 1, close });
    } else {
      while (i < length && (codes[i]! & asked) === 0) i++;
      const to = i < length ? i + 1 : length;
      if (book.side === 0) book.stay(equity, from, to);
      else book.mark(equity, { from, to, close });
      if (i === length) break;
    }
    wish = wishOf(codes[i]!, book.side, repeats);
    if (!wish.closes && wish.opens === 0) wish = NOTHING;
    i++;
  }
  const finalEquity = micro(length === 0 ? input.execution.initialCash : equity[length - 1]!);
  const { fills, trades, deepest: maxDrawdown } = book;
  return { bars, equity, fills, trades, finalEquity, maxDrawdown };
}

type Wish = { closes: boolean; opens: -1 | 0 | 1 };

const NOTHING: Wish = { closes: false, opens: 0 };

/** The codes at which something may be asked for while this side is held. */
function codesOf(side: number, repeats: boolean): number {
  if (repeats || side === 0) return side === 0 ? 1 | 4 : 15;
  return side === 1 ? 2 | 4 : 1 | 8;
}

class ColumnBook {
  side: -1 | 0 | 1 = 0;
  /** First cash plus everything realised, Micro: what is there besides the open position's profit. */
  settled: number;
  deepest = 0;
  levels: ExitLevels = { stop: Number.NaN, target: Number.NaN };
  readonly fills = new FillLog();
  readonly trades = new RoundTripLog();
  readonly #input: ResearchInput;
  readonly #multiplier: number;
  #entryBar = 0;
  #entryPrice = 0;
  #entryCommission = 0;
  #quantity = 0;
  #cost = 0;
  #peak = Number.NEGATIVE_INFINITY;
  #floor = Number.NEGATIVE_INFINITY;

  constructor(input: ResearchInput) {
    this.#input = input;
    this.settled = input.execution.initialCash;
    this.#multiplier = input.instrument.multiplier;
  }

  open(bar: number, market: number, how: { readonly direction: -1 | 1; readonly signalClose: number }): void {
    const { execution, instrument, definition } = this.#input;
    const price = entryPrice(market, how.direction, execution.spreadRate);
    const step = instrument.quantityStep;
    const size = entryQuantity(this.settled, { market, entry: price }, { execution, step });
    if (size === 0) return;
    this.side = how.direction;
    this.#quantity = how.direction * size;
    this.#cost = roundHalfEven((this.#quantity * price * this.#multiplier) / 100);
    this.#entryCommission = commissionMicro(size, price, execution.commissionRate);
    this.#entryBar = bar;
    this.#entryPrice = price;
    this.settled = whole(this.settled - this.#entryCommission);
    this.levels = exitLevels(how.signalClose, how.direction, definition.exits);
    this.fills.add(bar, this.#quantity, price, this.#entryCommission);
  }

  close(bar: number, price: number): void {
    const quantity = this.#quantity;
    const commission = commissionMicro(quantity, price, this.#input.execution.commissionRate);
    const profit = roundHalfEven((quantity * price * this.#multiplier) / 100) - this.#cost;
    this.settled = whole(this.settled + profit - commission);
    this.fills.add(bar, -quantity, price, commission);
    this.trades.add({
      entryBar: this.#entryBar,
      exitBar: bar,
      quantity,
      entryPrice: this.#entryPrice,
      exitPrice: price,
      commission: this.#entryCommission + commission,
      pnl: profit - this.#entryCommission - commission,
    });
    this.side = 0;
    this.#quantity = 0;
    this.#cost = 0;
  }

  /** Writes the equity of bars at which nothing is held. */
  stay(equity: Float64Array, from: number, to: number): void {
    if (from >= to) return;
    equity.fill(this.settled, from, to);
    this.#look(this.settled);
  }

  /** Writes the equity of the bars from `from` up to, not including, `to`. */
  mark(
    equity: Float64Array,
    { from, to, close }: { readonly from: number; readonly to: number; readonly close: Float64Array },
  ): void {
    const base = this.settled - this.#cost;
    const quantity = this.#quantity;
    const multiplier = this.#multiplier;
    let peak = this.#peak;
    let floor = this.#floor;
    for (let i = from; i < to; i++) {
      const value = base + roundHalfEven((quantity * close[i]! * multiplier) / 100);
      equity[i] = value;
      if (value > peak || value < floor) {
        this.#look(value);
        peak = this.#peak;
        floor = this.#floor;
      }
    }
  }

  /** Peak and depth as deepest-fall.ts keeps them. */
  #look(value: number): void {
    if (value > this.#peak) {
      this.#peak = value;
      this.#floor = value * (1 - this.deepest);
    } else if (value < this.#floor) {
      this.deepest = (this.#peak - value) / this.#peak;
      this.#floor = this.#peak * (1 - this.deepest);
    }
  }
}

/** States that an amount is still exact. */
function whole(amountMicro: number): number {
  if (!Number.isSafeInteger(amountMicro))
    throw new RangeError(`money out of range: ${amountMicro / MICRO_PER_UNIT}`);
  return amountMicro;
}
