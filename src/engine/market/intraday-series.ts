// Minutes, and longer parts of a session, from the minutes of one instrument: cut by the sessions of its calendar, each
// counted from the open, so that the last one of a session may be shorter. A part without a minute has no bar.
import { addDays, type Instant, type IsoDate, MINUTE_MS, utcDate } from '#units/instant.ts';
import type { BarSeries } from './bar-series.ts';
import { session } from './calendar.ts';
import type { CalendarId, IntradayInterval } from './instrument.ts';
import { barsPerDay, INTERVAL_MS } from './session-parts.ts';

/**
 * Minutes before and after the sessions are left out. The last part may lack minutes that are still to come: it closes
 * when it ends, so that nothing reads it earlier.
 */
export function intradaySeries(
  minutes: BarSeries,
  { interval, calendar }: { readonly interval: IntradayInterval; readonly calendar: CalendarId },
): BarSeries {
  if (minutes.interval !== '1m')
    throw new RangeError(
      `${minutes.symbol}: bars of ${interval} are cut from minutes, not from ${minutes.interval}`,
    );
  const lengthMs = INTERVAL_MS[interval];
  const columns = {
    closedAt: new Float64Array(minutes.length),
    open: new Float64Array(minutes.length),
    high: new Float64Array(minutes.length),
    low: new Float64Array(minutes.length),
    close: new Float64Array(minutes.length),
    volume: new Float64Array(minutes.length),
  };
  const sessions = new Sessions(calendar);
  let bar = -1;
  for (let i = 0; i < minutes.length; i++) {
    const openedAt = minutes.closedAt[i]! - MINUTE_MS;
    const { opensAt, closesAt } = sessions.atOrAfter(openedAt);
    if (openedAt < opensAt) continue;
    const part = Math.floor((openedAt - opensAt) / lengthMs);
    const closedAt = Math.min(opensAt + (part + 1) * lengthMs, closesAt);
    if (bar < 0 || columns.closedAt[bar] !== closedAt) {
      bar++;
      columns.closedAt[bar] = closedAt;
      columns.open[bar] = minutes.open[i]!;
      columns.high[bar] = minutes.high[i]!;
      columns.low[bar] = minutes.low[i]!;
    } else {
      if (minutes.high[i]! > columns.high[bar]!) columns.high[bar] = minutes.high[i]!;
      if (minutes.low[i]! < columns.low[bar]!) columns.low[bar] = minutes.low[i]!;
    }
    columns.close[bar] = minutes.close[i]!;
    columns.volume[bar]! += minutes.volume[i]!;
  }
  const length = bar + 1;
  const cut = (column: Float64Array) => (length === minutes.length ? column : column.slice(0, length));
  return {
    symbol: minutes.symbol,
    interval,
    length,
    closedAt: cut(columns.closedAt),
    open: cut(columns.open),
    high: cut(columns.high),
    low: cut(columns.low),
    close: cut(columns.close),
    volume: cut(columns.volume),
    barsPerDay: barsPerDay(interval, calendar),
    ...(minutes.actions === undefined ? {} : { actions: minutes.actions }),
  };
}

type Hours = { readonly opensAt: number; readonly closesAt: number };

/** The sessions of a calendar one after the other, for instants that rise. */
class Sessions {
  readonly #calendar: CalendarId;
  #current: Hours = { opensAt: 0, closesAt: Number.NEGATIVE_INFINITY };
  #next: IsoDate | null = null;

  constructor(calendar: CalendarId) {
    this.#calendar = calendar;
  }

  /** The session that is open, or else the next one. */
  atOrAfter(at: number): Hours {
    // A session of currencies opens on the day before its own.
    if (this.#current.closesAt <= at) this.#next = utcDate(at as Instant);
    while (this.#current.closesAt <= at) {
      const found = session(this.#calendar, this.#next!);
      this.#next = addDays(this.#next!, 1);
      if (found !== null) this.#current = found;
    }
    return this.#current;
  }
}
