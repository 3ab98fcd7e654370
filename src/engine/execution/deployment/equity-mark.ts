// The row of a trading day: the last value of a deployment on that day, with its benchmark.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { effectivePermission } from '../../lifecycle/effective-status.ts';
import { previousSession, sessionAt } from '../../market/calendar.ts';
import { type CalendarExceptions, heldCalendar } from '../../market/calendar-exceptions.ts';
import type { CalendarId, Marks } from '../../market/instrument.ts';
import type { EquityMark } from './state-transition.ts';
import type { TradingDeployment } from './trading-deployment.ts';
import type { TradingMarket } from './trading-market.ts';
import { valueHoldings } from './value-holdings.ts';

/** Of the trading day of `dayOf`; null while its strategy is unknown. */
export function equityMark(
  record: TradingDeployment,
  at: Instant,
  { versions, marks, exceptions }: Pick<TradingMarket, 'versions' | 'marks' | 'exceptions'>,
  dayOf = at,
): EquityMark | null {
  const { id, versionId, cash, equity, holdings } = record;
  const version = versions.get(versionId);
  if (version === undefined) return null;
  return {
    deploymentId: id,
    date: tradingDate(version.calendar, dayOf, exceptions),
    at,
    cash,
    positions: (equity - cash) as typeof equity,
    equity,
    holdings,
    benchmark: marks.get(version.definition.benchmark) ?? null,
    follows: followsInFull(record),
  };
}

/** For a closed day: the holdings at that day's closes where known, with the benchmark's close. */
export function closingMark(
  record: TradingDeployment,
  session: { readonly date: IsoDate; readonly closesAt: Instant; readonly closes: Marks },
  market: Pick<TradingMarket, 'marks' | 'instruments' | 'unpriced' | 'versions'>,
): EquityMark {
  const { date, closesAt, closes } = session;
  const { cash, realized, holdings } = record;
  const stored = [...holdings.values()].map(({ symbol, markPrice }) => [symbol, markPrice] as const);
  const marks = new Map([...stored, ...market.marks, ...closes]);
  const { instruments, unpriced } = market;
  const valued = valueHoldings({ cash, positions: holdings, realized }, holdings, closesAt, {
    instruments,
    unpriced,
    marks,
  });
  const benchmark = market.versions.get(record.versionId)?.definition.benchmark;
  return {
    deploymentId: record.id,
    date,
    at: closesAt,
    cash,
    positions: valued.positionsValue,
    equity: valued.equity,
    holdings: valued.holdings,
    benchmark:
      benchmark === undefined ? null : (closes.get(benchmark) ?? market.marks.get(benchmark) ?? null),
    follows: followsInFull(record),
  };
}

/** It has a target, and neither its owner nor a limit keeps anything of it away. */
function followsInFull(record: TradingDeployment): boolean {
  return (
    effectivePermission(record) === 'full' &&
    record.frozenAt === null &&
    record.reaction === null &&
    record.appliedTargetId !== null
  );
}

/** The trading day that an instant belongs to: of the open session, else of the last one. */
export function tradingDate(calendar: CalendarId, at: Instant, exceptions: CalendarExceptions): IsoDate {
  // Needed once per deployment of a tick, always for the same instant.
  const last = remembered.get(calendar);
  if (last?.at === at && last.exceptions === exceptions) return last.date;
  const held = heldCalendar(calendar, exceptions);
  const { date } = sessionAt(held, at) ?? previousSession(held, at);
  remembered.set(calendar, { at, exceptions, date });
  return date;
}

const remembered = new Map<CalendarId, { at: Instant; exceptions: CalendarExceptions; date: IsoDate }>();

/** The symbols whose price has changed. */
export function movedSymbols(before: Marks, now: Marks): Symbol[] {
  return [...now].filter(([symbol, price]) => before.get(symbol) !== price).map(([symbol]) => symbol);
}
