// Prices of a borrowed session: its stream on top of a request, and requests alone while the stream does not speak.
import type { BrokerAnswer, BrokerMarketData, BrokerQuote } from '#ports/broker.ts';
import type { MarketDataAnswer } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, SECOND_MS } from '#units/instant.ts';
import { keepAnswer } from '../keep-answer.ts';

/** `asOf`: until when nothing but these prices was told. */
export type LentQuotes = { readonly quotes: ReadonlyMap<Symbol, BrokerQuote>; readonly asOf: Instant };

export type LentPrices = {
  read(): Promise<MarketDataAnswer<LentQuotes>>;
  /** Ends the stream; the next reading begins it again. */
  stop(): void;
};

type Borrowed = {
  readonly symbols: readonly Symbol[];
  readonly now: () => Instant;
  readonly ask: <Value>(
    question: (prices: BrokerMarketData) => Promise<BrokerAnswer<Value>>,
  ) => Promise<MarketDataAnswer<Value>>;
};

export function lentPrices({ symbols, now, ask }: Borrowed): LentPrices {
  const stream = heardQuotes(now);
  let watched: { readonly prices: BrokerMarketData; readonly end: () => void } | null = null;
  let base: { readonly quotes: ReadonlyMap<Symbol, BrokerQuote>; readonly askedAt: Instant } | null = null;

  /** A session that was opened anew has a stream of its own. A stream that does not begin is no failure: prices are asked for. */
  const watch = async (prices: BrokerMarketData) => {
    if (prices.watch === undefined || watched?.prices === prices) return;
    stop();
    const begun = await prices.watch(symbols, stream.hear);
    if (begun.outcome === 'ok') watched = { prices, end: begun.value };
  };
  const stop = () => {
    watched?.end();
    watched = null;
    stream.forget();
  };
  const refresh = keepAnswer(REQUEST_MS, now, async () => {
    const askedAt = now();
    const answer = await ask(async (prices) => {
      await watch(prices);
      return prices.quotes(symbols);
    });
    if (!answer.ok) return answer;
    base = { quotes: new Map(answer.value.map((one) => [one.symbol, one])), askedAt };
    return { ok: true, value: base };
  });

  return {
    async read() {
      const since = stream.wholeSince();
      const isKnown = base !== null && since !== null && base.askedAt >= since;
      if (base !== null && isKnown && now() - base.askedAt <= BASE_MS)
        return { ok: true, value: { quotes: stream.on(base), asOf: stream.aliveAt() ?? now() } };
      const answer = await refresh();
      return answer.ok ? { ok: true, value: { quotes: stream.on(answer.value), asOf: now() } } : answer;
    },
    stop,
  };
}

type Base = { readonly quotes: ReadonlyMap<Symbol, BrokerQuote>; readonly askedAt: Instant };

/** What the stream has said since it last began. */
function heardQuotes(now: () => Instant) {
  const heard = new Map<Symbol, { readonly quote: BrokerQuote; readonly at: Instant }>();
  let span: { readonly since: Instant; aliveAt: Instant } | null = null;
  const forget = () => {
    heard.clear();
    span = null;
  };
  const hear: Parameters<NonNullable<BrokerMarketData['watch']>>[1] = (news) => {
    if (news.kind === 'gap') return forget();
    const at = now();
    if (span === null) span = { since: at, aliveAt: at };
    else span.aliveAt = at;
    if (news.kind === 'quote') heard.set(news.quote.symbol, { quote: news.quote, at });
    return undefined;
  };
  return {
    hear,
    forget,
    aliveAt: () => span?.aliveAt ?? null,
    /** Null while it is silent for longer than its heartbeat. */
    wholeSince: () => (span === null || now() - span.aliveAt > SILENCE_MS ? null : span.since),
    /** Prices that were asked for, with those that came later. */
    on({ quotes, askedAt }: Base): ReadonlyMap<Symbol, BrokerQuote> {
      const later = [...heard].filter(([, { at }]) => at >= askedAt);
      return new Map([...quotes, ...later.map(([symbol, { quote }]) => [symbol, quote] as const)]);
    },
  };
}

const REQUEST_MS = 5 * SECOND_MS;
/** The vendor's heartbeat comes every ten seconds. */
const SILENCE_MS = 12 * SECOND_MS;
/** What a stream lost without a trace is found after so long. */
const BASE_MS = 30 * SECOND_MS;
