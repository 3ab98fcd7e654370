// Prices that fit what is held. A split or a dividend changes both, not at the same moment: the quote at a close or at an
// opening, the holding when its night has been passed. In between nothing is decided on the one for the other.
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { quotedDays } from '#engine/market-data/validate-quote.ts';
import type { TradingContext } from '../trading-context.ts';

/**
 * The context without the prices that do not fit yet: what is held keeps its last value until its night has been passed.
 * Between the last session before a split or a dividend and the first one after it nothing trades; the price is then the
 * last close, less what was split off or paid, whatever the feed tells.
 */
export function adjustMarks(
  context: TradingContext,
  passed: ReadonlyMap<CalendarId, IsoDate>,
): TradingContext {
  const fitted = new Map<Symbol, number | null>();
  for (const [symbol, actions] of context.actions) {
    const calendar = context.instruments.get(symbol)?.calendar;
    if (calendar === undefined || !context.marks.has(symbol)) continue;
    const mark = adjustedMark(context, { symbol, calendar, actions, passed: passed.get(calendar) });
    if (mark !== undefined) fitted.set(symbol, mark);
  }
  if (fitted.size === 0) return context;
  const marks = new Map(context.marks);
  const unpriced = [...context.unpriced];
  for (const [symbol, mark] of fitted) {
    if (mark !== null) marks.set(symbol, mark);
    else {
      marks.delete(symbol);
      unpriced.push(symbol);
    }
  }
  return { ...context, marks, unpriced };
}

type Share = {
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  readonly actions: readonly CorporateAction[];
  readonly passed: IsoDate | undefined;
};

/** Undefined where the quote is the one to use, null where none is. */
function adjustedMark(context: TradingContext, share: Share): number | null | undefined {
  const { symbol, calendar, actions, passed } = share;
  const [last, next] = quotedDays(calendar, context.quotedAt.get(symbol) ?? context.now);
  // Holdings count what takes effect up to the opening after the last night that was passed.
  const counted = passed === undefined ? null : nextTradingDay(calendar, passed);
  if (counted !== null && actions.some(({ exDate }) => exDate > counted && exDate <= next)) return null;
  const overnight = actions.filter(({ exDate }) => exDate > last && exDate <= next);
  if (overnight.length === 0) return undefined;
  const bar = context.barCloses.newestBar(symbol);
  if (bar?.date !== last) return null;
  return overnight.reduce(
    (price, { kind, amount }) => (kind === 'split' ? price / amount : price - amount),
    bar.close,
  );
}
