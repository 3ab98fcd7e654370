// A research run along a short list of signals: what is held stands still between two of them, and no stop is watched.
import type { BarSeries } from '../market/bar-series.ts';
import type { ColumnBook } from './column-book.ts';
import type { SignalEvents } from './cross-events.ts';
import type { Execution } from './execution.ts';
import { CLOSES, OPENS_LONG, OPENS_SHORT, wishCode } from './signal-codes.ts';

export function followEvents(book: ColumnBook, { bars, events, execution }: Followed): void {
  const { length } = bars;
  const sameClose = execution.fill === 'same_close';
  const repeats = execution.repeatedSignal === 'reopens';
  const market = sameClose ? pricesAt(bars.close, events, 0) : pricesAt(bars.open, events, 1);
  const { bars: signalled, codes, count } = events;
  let passed = 0;
  for (let e = 0; e < count; e++) {
    const wish = wishCode(codes[e]!, book.side, repeats);
    if (wish === 0) continue;
    const next = signalled[e]! + 1;
    book.pass(passed, next);
    passed = next;
    if (next === length) break;
    const dated = sameClose ? next - 1 : next;
    if ((wish & CLOSES) !== 0) book.close(dated, market[e]!);
    if ((wish & OPENS_LONG) !== 0) book.open(dated, market[e]!, 1);
    else if ((wish & OPENS_SHORT) !== 0) book.open(dated, market[e]!, -1);
  }
  book.pass(passed, length);
}

type Followed = { readonly bars: BarSeries; readonly events: SignalEvents; readonly execution: Execution };

/** Read before they are needed: a processor waits for many places of memory at once, but for one at a time in a run. */
function pricesAt(column: Float64Array, { bars, count }: SignalEvents, later: 0 | 1): Float64Array {
  const prices = new Float64Array(count);
  for (let e = 0; e < count; e++) prices[e] = column[bars[e]! + later]!;
  return prices;
}
