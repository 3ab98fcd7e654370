// The next close at which a strategy's rules are looked at, and what it would decide there if every price stayed as it is
// now. Nothing is known of that close yet, so whatever comes of it is likely at most.
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { appendBars, type BarSeries } from '../market/bar-series.ts';
import { nextTradingDay, type Session, session, type TradingCalendar } from '../market/calendar.ts';
import type { Marks } from '../market/instrument.ts';
import { partsAfter } from '../market/session-parts.ts';
import { unionOfInstants } from './align.ts';
import type { StrategyDefinition } from './definition.ts';
import { evaluate, type Target } from './evaluate.ts';
import { type SeriesBySymbol, seriesOf, symbolsRead } from './feature-column.ts';
import { scheduledRows } from './schedule.ts';

/** The session, or the part of one, at whose close the rules are looked at next; null when that is further away than a year. */
export function nextDecisionSession(
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  calendar: TradingCalendar,
  now: Instant,
): Session | null {
  const known = unionOfInstants(definition.universe.map((symbol) => seriesOf(series, symbol).closedAt));
  const last = known.at(-1) ?? Number.NEGATIVE_INFINITY;
  const coming = comingCloses(definition, calendar, now).filter(({ closesAt }) => closesAt > last);
  const timeline = Float64Array.from([...known, ...coming.map(({ closesAt }) => closesAt)]);
  const scheduled = scheduledRows(definition, timeline);
  const row = scheduled.findIndex((is, place) => place >= known.length && is === 1);
  return row < 0 ? null : coming[row - known.length]!;
}

/** Those of a year of days, and of parts of a session as many as reach the next month. */
function comingCloses({ interval }: StrategyDefinition, calendar: TradingCalendar, now: Instant): Session[] {
  const coming: Session[] = [];
  if (interval !== undefined) {
    for (const part of partsAfter(calendar, interval, now)) {
      if (part.opensAt > now + PARTS_AHEAD_MS) return coming;
      coming.push(part);
    }
  }
  for (let date: IsoDate = utcDate((now - DAY_BEFORE_MS) as Instant); coming.length < SESSIONS_AHEAD; ) {
    date = nextTradingDay(calendar, date);
    const found = session(calendar, date);
    if (found !== null && found.closesAt > now) coming.push(found);
  }
  return coming;
}

/** Every price that is read must be there: a target without one of them would be another. */
export function likelyTarget(
  definition: StrategyDefinition,
  { series, prices }: { readonly series: SeriesBySymbol; readonly prices: Marks },
  { opensAt, closesAt, date }: Session,
): Target {
  const until = new Map<Symbol, BarSeries>();
  for (const symbol of symbolsRead(definition)) {
    const bars = seriesOf(series, symbol);
    const price = prices.get(symbol)!;
    const volume = bars.volume.at(-1) ?? 0;
    const bar = { openedAt: opensAt, closedAt: closesAt, date, volume };
    until.set(symbol, appendBars(bars, [{ ...bar, open: price, high: price, low: price, close: price }]));
  }
  return evaluate(definition, until, closesAt);
}

/** Where a session is dated a day after it opens, none is missed. */
const DAY_BEFORE_MS = 2 * DAY_MS;
/** A year of them. */
const SESSIONS_AHEAD = 260;
const PARTS_AHEAD_MS = 40 * DAY_MS;
