// Bars of parts of a session, put together from a vendor's rows: what it has from before and after the sessions is left out, and
// a part that is still under way, or may lack a row that is still to come, is no bar yet.
import type { Session } from '#engine/market/calendar.ts';
import type { Bar, IntradayInterval } from '#engine/market/instrument.ts';
import { partAt } from '#engine/market/session-parts.ts';
import type { AskedParts, FeedBars } from '#ports/market-data.ts';
import { type Instant, instant, isoText } from '#units/instant.ts';

export type PriceRow = {
  readonly t: Instant;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number;
};

type Cut = Pick<AskedParts, 'interval' | 'after'> & {
  readonly sessionOf: (at: Instant) => Session | null;
  readonly through: Instant | null;
};

/** Of one symbol; rows come oldest first. */
export function createSessionBars({ interval, after, through, sessionOf }: Cut) {
  const bars: Bar[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  let malformed: string | null = null;
  return {
    /** A row that is none ends the list: what follows would stand beside a gap. */
    add(row: PriceRow | string): void {
      if (malformed !== null) return;
      const fault =
        typeof row === 'string' ? row : row.t <= newest ? `a bar of ${isoText(row.t)} out of turn` : null;
      if (typeof row === 'string' || fault !== null) {
        malformed = fault;
        // The part that it may belong to is not whole.
        if (bars.length > 0 && newest < bars.at(-1)!.closedAt) bars.pop();
        return;
      }
      newest = row.t;
      const session = sessionOf(row.t);
      if (session === null || row.t < session.opensAt || row.t >= session.closesAt) return;
      const part = partAt(session, interval, row.t);
      if (through === null || part.closesAt > through || (after !== null && part.closesAt <= after)) return;
      const last = bars.at(-1);
      if (last?.closedAt === part.closesAt) bars[bars.length - 1] = joined(last, row);
      else bars.push(begun(part, row));
    },
    value: (): FeedBars => ({ bars, malformed }),
  };
}

function begun({ date, opensAt, closesAt }: Session, { o, h, l, c, v }: PriceRow): Bar {
  return { date, openedAt: opensAt, closedAt: closesAt, open: o, high: h, low: l, close: c, volume: v };
}

function joined(bar: Bar, { h, l, c, v }: PriceRow): Bar {
  const [high, low] = [Math.max(bar.high, h), Math.min(bar.low, l)];
  return { ...bar, high, low, close: c, volume: bar.volume + v };
}

/** The newest close that is complete: every part that ended `delayMs` ago. Null before the first session. */
export function completeThrough(
  sessions: Iterable<Session>,
  {
    interval,
    delayMs,
    now,
  }: { readonly interval: IntradayInterval; readonly delayMs: number; readonly now: number },
): Instant | null {
  const at = instant(now - delayMs);
  let begun: Session | null = null;
  let ended: Session | null = null;
  for (const session of sessions) {
    if (session.opensAt > at) continue;
    if (session.closesAt <= at) ended = session;
    else begun = session;
  }
  if (begun !== null) {
    const current = partAt(begun, interval, at);
    if (current.opensAt > begun.opensAt) return current.opensAt;
  }
  return ended?.closesAt ?? null;
}
