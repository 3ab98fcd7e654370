// Bars of parts of a session of several vendors: what the first feed of a kind has, checked by the second one.
import type { IntradayInterval } from '#engine/market/instrument.ts';
import type {
  AskedParts,
  IntradayBars,
  IntradayFeed,
  MarketDataAnswer,
  MarketDataFeed,
} from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { FeedRoute } from './feed-route.ts';
import { failure } from './read-answer.ts';

type Routing = {
  /** Fails for a symbol that no feed has. */
  readonly route: (symbols: readonly Symbol[]) => Promise<MarketDataAnswer<null>>;
  readonly routeOf: (symbol: Symbol) => FeedRoute | undefined;
};

/** Nothing where no first feed has any. */
export function combinedIntraday(
  routes: readonly FeedRoute[],
  { route, routeOf }: Routing,
): Pick<MarketDataFeed, 'intraday'> {
  if (routes.every(({ first }) => first.feed.intraday === undefined)) return {};
  const intraday: IntradayFeed = {
    intervals: (kind) => intervalsOf(routes.find((one) => one.kind === kind)),
    async bars(asked) {
      const routed = await route(asked.symbols);
      return routed.ok ? partsOf(routeOf(asked.symbols[0]!)!, asked) : routed;
    },
  };
  return { intraday };
}

/** What the first feed has, and the second one can check. */
function intervalsOf(route: FeedRoute | undefined): readonly IntradayInterval[] {
  if (route === undefined) return [];
  const { kind, first, second } = route;
  const own = first.feed.intraday?.intervals(kind) ?? [];
  const checked = second === null ? own : (second.feed.intraday?.intervals(kind) ?? []);
  return own.filter((interval) => checked.includes(interval));
}

async function partsOf(
  { kind, first, second }: FeedRoute,
  asked: AskedParts,
): Promise<MarketDataAnswer<IntradayBars>> {
  if (first.feed.intraday === undefined || (second !== null && second.feed.intraday === undefined))
    return failure('refused', `MARKET_FEEDS has days only of ${kind}`);
  const [own, other] = await Promise.all([
    first.feed.intraday.bars(asked),
    second?.feed.intraday?.bars(asked),
  ]);
  if (!own.ok || second === null || other === undefined) return own;
  // The second feed may have a part later than the first.
  const through = other.ok ? earlier(own.value.through, other.value.through) : own.value.through;
  const bars = [...own.value.bars].map(([symbol, { bars: all, malformed }]) => {
    const checks = other.ok ? other.value.bars.get(symbol) : undefined;
    const check = {
      feed: second.name,
      closes:
        checks === undefined ? null : new Map(checks.bars.map(({ closedAt, close }) => [closedAt, close])),
      said: other.ok ? (checks?.malformed ?? null) : other.message,
    };
    return [
      symbol,
      { bars: all.filter(({ closedAt }) => closedAt <= (through ?? 0)), malformed, check },
    ] as const;
  });
  return { ok: true, value: { bars: new Map(bars), through } };
}

function earlier(left: Instant | null, right: Instant | null): Instant | null {
  return left === null || right === null ? null : left < right ? left : right;
}
