// What the vendors' feeds share of bars shorter than a day: which are there in time, until when they are complete, and that a
// question is not asked again at every look.
import type { Session } from '#engine/market/calendar.ts';
import { type InstrumentKind, INTRADAY_INTERVALS, type IntradayInterval } from '#engine/market/instrument.ts';
import { INTERVAL_MS } from '#engine/market/session-parts.ts';
import type { FeedBars, IntradayBars, IntradayFeed, MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import {
  addDays,
  type Instant,
  instant,
  instantOfDate,
  MINUTE_MS,
  SECOND_MS,
  utcDate,
} from '#units/instant.ts';
import { completeThrough, type createSessionBars } from './session-bars.ts';
import { noInstrument } from './us-shares.ts';

/** The vendor's bars of one kind of instrument. */
export type PartSource = {
  /** After the end of a part its last trades still arrive; and a plan may have them later. */
  readonly delayMs: number;
  readonly has: (symbol: Symbol) => boolean;
  /** The sessions of the last days at least, oldest first. */
  readonly sessions: () => Promise<MarketDataAnswer<SessionsOf>>;
  readonly list: (asked: ListedParts) => Promise<MarketDataAnswer<ReadonlyMap<Symbol, FeedBars>>>;
};

export type SessionsOf = { readonly all: Iterable<Session>; readonly of: (at: Instant) => Session | null };

export type ListedParts = {
  readonly symbols: readonly Symbol[];
  readonly cut: Parameters<typeof createSessionBars>[0];
  /** The first row that is needed, and the end of the last one. */
  readonly from: Instant;
  readonly through: Instant;
};

/** A part is corrected for as long: streams send a minute again half a minute after it. */
export const SETTLE_MS = 35 * SECOND_MS;

/** How far back bars are kept where there are none yet: several thousand of each interval. */
const KEPT_DAYS: Readonly<Record<IntradayInterval, number>> = {
  '1h': 730,
  '30m': 365,
  '15m': 180,
  '5m': 60,
  '1m': 14,
};

/** Only intervals that are known before the next one ends: a decision on any other comes too late to be traded. */
export function intradayFeed(
  sources: ReadonlyMap<InstrumentKind, PartSource>,
  now: () => number,
): IntradayFeed {
  /** The last answer to each question that was asked: one that does not help is not asked again at every look. */
  const kept = new Map<string, { readonly until: number; readonly answer: MarketDataAnswer<IntradayBars> }>();
  return {
    intervals(kind) {
      const source = sources.get(kind);
      return INTRADAY_INTERVALS.filter((one) => source !== undefined && source.delayMs < INTERVAL_MS[one]);
    },
    async bars({ symbols, interval, after }) {
      const found = sourceOf(sources, symbols);
      if (!('source' in found)) return noInstrument(found.unknown);
      const { source, kind } = found;
      const sessions = await source.sessions();
      if (!sessions.ok) return sessions;
      const through = completeThrough(sessions.value.all, { interval, delayMs: source.delayMs, now: now() });
      if (through === null || (after !== null && after >= through))
        return { ok: true, value: { through, bars: new Map(symbols.map((one) => [one, NONE])) } };
      const key = `${kind} ${interval} ${after} ${symbols.join(',')}`;
      for (const [other, { until }] of kept) if (until <= now()) kept.delete(other);
      const same = kept.get(key);
      if (same !== undefined) return same.answer;
      const from = after ?? instantOfDate(addDays(utcDate(instant(now())), -KEPT_DAYS[interval]));
      const cut = { interval, after, through, sessionOf: sessions.value.of };
      const listed = await source.list({ symbols, cut, from, through });
      const answer = listed.ok ? ({ ok: true, value: { through, bars: listed.value } } as const) : listed;
      kept.set(key, { until: now() + (answer.ok ? MINUTE_MS : AGAIN_MS), answer });
      return answer;
    },
  };
}

const NONE = { bars: [], malformed: null };
const AGAIN_MS = 5 * SECOND_MS;

type Found = { readonly kind: InstrumentKind; readonly source: PartSource } | { readonly unknown: Symbol };

/** All symbols of a question are of one kind. */
function sourceOf(sources: ReadonlyMap<InstrumentKind, PartSource>, symbols: readonly Symbol[]): Found {
  for (const [kind, source] of sources) if (symbols.every(source.has)) return { kind, source };
  const isKnown = (symbol: Symbol) => [...sources.values()].some(({ has }) => has(symbol));
  return { unknown: symbols.find((symbol) => !isKnown(symbol)) ?? symbols[0]! };
}
