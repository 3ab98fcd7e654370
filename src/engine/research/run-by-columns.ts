// The same research run as run-by-events, bit for bit, as one pass over columns with the portfolio held in numbers.
// Flat stretches are skipped from signal to signal, and nothing is allocated for a bar or a fill.
import { micro } from '#units/money.ts';
import type { SignalRule } from '../strategy/definition.ts';
import { prepare, type PreparedInstrument } from '../strategy/prepare.ts';
import { ColumnBook } from './column-book.ts';
import { crossOf } from './cross.ts';
import { findCrosses, findMeanCrosses, SignalEvents } from './cross-events.ts';
import type { ResearchInput, ResearchResult } from './execution.ts';
import { exitWithin } from './fill-rules.ts';
import { followEvents } from './follow-events.ts';
import { requireResearchable } from './researchable.ts';
import { CLOSES, OPENS_LONG, OPENS_SHORT, signalCodes, wishCode } from './signal-codes.ts';

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
  const { exits } = input.definition;
  const protects = exits.stopPercent !== undefined || exits.targetPercent !== undefined;
  const events = protects ? null : crossEvents(prepared, rule);
  const equity = new Float64Array(bars.length);
  const book = new ColumnBook(input, bars.close, equity);
  if (events !== null) followEvents(book, { bars, events, execution: input.execution });
  else followCodes(book, prepared, { input, codes: signalCodes(prepared, rule), protects });
  const { fills, trades, deepest: maxDrawdown } = book;
  return { bars, equity, fills, trades, finalEquity: micro(book.finalEquity()), maxDrawdown };
}

/** All that a rule of two crosses ever says; null for every other rule. */
function crossEvents({ features, readyBar }: PreparedInstrument, rule: SignalRule): SignalEvents | null {
  const cross = crossOf(rule);
  if (cross === null || !features.has(cross.left) || !features.has(cross.right)) return null;
  const events = new SignalEvents();
  const asked = { above: cross.above, below: cross.below, readyBar };
  const left = features.runningMean(cross.left);
  const right = features.runningMean(cross.right);
  if (left !== null && right !== null) findMeanCrosses(events, { left, right }, asked);
  else findCrosses(events, { left: features.get(cross.left)!, right: features.get(cross.right)! }, asked);
  return events;
}

/** Bar by bar where stops are watched, else from code to code. */
function followCodes(
  book: ColumnBook,
  { bars, readyBar }: PreparedInstrument,
  {
    input,
    codes,
    protects,
  }: { readonly input: ResearchInput; readonly codes: Uint8Array; readonly protects: boolean },
): void {
  const { open, high, low, close, length } = bars;
  const sameClose = input.execution.fill === 'same_close';
  const repeats = input.execution.repeatedSignal === 'reopens';
  let i = Math.min(readyBar, length);
  book.pass(0, i);
  let wish = 0;
  while (i < length) {
    if (wish !== 0) {
      const market = sameClose ? close[i - 1]! : open[i]!;
      const dated = sameClose ? i - 1 : i;
      if ((wish & CLOSES) !== 0) book.close(dated, market);
      if ((wish & (OPENS_LONG | OPENS_SHORT)) !== 0) {
        book.open(dated, market, (wish & OPENS_LONG) !== 0 ? 1 : -1);
        if (protects) book.protect(close[i - 1]!);
      }
    }
    const from = i;
    const asked = codesOf(book.side, repeats);
    if (protects && book.side !== 0) {
      let exit = Number.NaN;
      for (; i < length; i++) {
        exit = exitWithin(book.levels, book.side, { open: open[i]!, high: high[i]!, low: low[i]! });
        if (!Number.isNaN(exit) || (codes[i]! & asked) !== 0) break;
      }
      book.pass(from, i);
      if (i === length) break;
      if (!Number.isNaN(exit)) book.close(i, exit);
      book.pass(i, i + 1);
    } else {
      while (i < length && (codes[i]! & asked) === 0) i++;
      book.pass(from, i < length ? i + 1 : length);
      if (i === length) break;
    }
    wish = wishCode(codes[i]!, book.side, repeats);
    i++;
  }
}

/** The codes at which something may be asked for while this side is held. */
function codesOf(side: number, repeats: boolean): number {
  if (repeats || side === 0) return side === 0 ? 1 | 4 : 15;
  return side === 1 ? 2 | 4 : 1 | 8;
}
