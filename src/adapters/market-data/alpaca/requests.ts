// Requests to the vendor, sent once within its limits, and what an answer without a body to read means.
import type { MarketDataAnswer, MarketDataFailure } from '#ports/market-data.ts';
import { bodyOf, type Exchange, exchange, urlOf } from '../../broker/exchange.ts';
import { createRateLimiter } from '../../broker/rate-limiter.ts';
import { meaningOf } from '../../broker/vendor-texts.ts';
import { failure, reading } from '../read-answer.ts';
import { type AlpacaFeedConfig, FREE_PLAN_LIMITS } from './config.ts';

export type Query = Readonly<Record<string, string>>;

export type Requests = {
  /** An answer of the data host. */
  data<Value>(path: string, query: Query, parse: (body: unknown) => Value): Promise<MarketDataAnswer<Value>>;
  /** An answer of the trading host. */
  trading<Value>(
    path: string,
    query: Query,
    parse: (body: unknown) => Value,
  ): Promise<MarketDataAnswer<Value>>;
};

export function createRequests(config: AlpacaFeedConfig): Requests {
  const now = config.now ?? Date.now;
  const { timeoutMs, fetch } = config;
  const limiter = createRateLimiter(config.rateLimits ?? FREE_PLAN_LIMITS, { until: 0 }, now);
  const headers = { 'apca-api-key-id': config.keyId, 'apca-api-secret-key': config.secretKey };
  const ask = async <Value>(
    url: string,
    path: string,
    parse: (body: unknown) => Value,
  ): Promise<MarketDataAnswer<Value>> => {
    const send = () => exchange({ method: 'GET', url, headers, timeoutMs, fetch });
    const result = await limiter.run(path, 'reconcile', send);
    return failureOf(result) ?? reading(() => parse(bodyOf(result)));
  };
  return {
    data: (path, query, parse) => ask(urlOf(`${config.dataUrl}${path}`, query), path, parse),
    trading: (path, query, parse) => ask(urlOf(`${config.tradingUrl}${path}`, query), path, parse),
  };
}

/** Null on success. */
function failureOf(result: Exchange): MarketDataFailure | null {
  if (result.kind === 'not_sent')
    return failure(result.code === 'rate_limited' ? 'rate_limited' : 'unreachable', result.reason);
  if (result.kind === 'lost') return failure('unreachable', `the vendor did not answer: ${result.reason}`);
  const { status } = result;
  const said = messageOf(result.body) ?? `HTTP ${status}`;
  if (status === 429) return failure('rate_limited', 'the vendor asks us to slow down');
  if (status === 401 || status === 403) return denied(said);
  if (status === 404) return failure('unknown_symbol', said);
  if (status >= 500) return failure('unreachable', said);
  if (status !== 200) return failure('refused', said);
  return result.body === undefined ? failure('malformed', 'the vendor’s answer is not JSON') : null;
}

/** The vendor answers 403 to wrong keys and to a feed that the plan lacks. */
function denied(said: string): MarketDataFailure {
  if (meaningOf('alpaca', said) === 'not_subscribed')
    return failure('not_subscribed', `the plan of these keys lacks the feed (ALPACA_FEED): ${said}`);
  return failure('unauthorized', `the vendor refuses APCA_API_KEY_ID and APCA_API_SECRET_KEY: ${said}`);
}

function messageOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('message' in body)) return null;
  return typeof body.message === 'string' ? body.message : null;
}
