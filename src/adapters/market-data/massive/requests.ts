// Requests to the vendor, sent once within its limits, and what an answer without a body to read means.
import { z } from 'zod';
import type { MarketDataAnswer, MarketDataFailure } from '#ports/market-data.ts';
import { MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { bodyOf, type Exchange, exchange, urlOf } from '../../broker/exchange.ts';
import { createRateLimiter } from '../../broker/rate-limiter.ts';
import { failure, parse, reading } from '../read-answer.ts';
import type { MassiveFeedConfig } from './config.ts';

export type Query = Readonly<Record<string, string>>;

export type Requests = {
  get<Value>(path: string, query: Query, read: (body: unknown) => Value): Promise<MarketDataAnswer<Value>>;
  /** The rows of every page, unread. A list that does not end is a failure: half of it would look like the whole. */
  list(path: string, query: Query): Promise<MarketDataAnswer<readonly unknown[]>>;
};

export function createRequests(config: MassiveFeedConfig): Requests {
  const { timeoutMs, fetch, requestsPerMinute } = config;
  const limits = {
    requestsPerSecond: (requestsPerMinute * SECOND_MS) / MINUTE_MS,
    spacingMs: {},
    backOffMs: MINUTE_MS,
  };
  const limiter = createRateLimiter(limits, { until: 0 }, config.now ?? Date.now);
  const headers = { authorization: `Bearer ${config.apiKey}` };
  const get: Requests['get'] = async (path, query, read) => {
    const url = urlOf(`${config.url}${path}`, query);
    const send = () => exchange({ method: 'GET', url, headers, timeoutMs, fetch });
    const result = await limiter.run(path, 'reconcile', send);
    return failureOf(result) ?? reading(() => read(bodyOf(result)));
  };
  return {
    get,
    async list(path, query) {
      const rows: unknown[] = [];
      const seen = new Set<string>();
      let next: { readonly path: string; readonly query: Query } | null = { path, query };
      while (next !== null) {
        const page: MarketDataAnswer<Page> = await get(next.path, next.query, readPage);
        if (!page.ok) return page;
        rows.push(...page.value.rows);
        next = page.value.next;
        const place = JSON.stringify(next);
        if (seen.has(place)) return failure('malformed', 'the vendor repeats a page: the list has no end');
        seen.add(place);
      }
      return { ok: true, value: rows };
    },
  };
}

type Page = {
  readonly rows: readonly unknown[];
  readonly next: { readonly path: string; readonly query: Query } | null;
};

/** A list without a result lacks its field. Of the address of the next page, only what follows the host is used. */
function readPage(body: unknown): Page {
  const { results, next_url: next } = parse(PAGE, body);
  if (next === undefined) return { rows: results ?? [], next: null };
  const { pathname, searchParams } = new URL(next);
  return { rows: results ?? [], next: { path: pathname, query: Object.fromEntries(searchParams) } };
}

const PAGE = z.object({
  status: z.enum(['OK', 'DELAYED']),
  results: z.array(z.unknown()).optional(),
  next_url: z.url().optional(),
});

/** Null on success. */
function failureOf(result: Exchange): MarketDataFailure | null {
  if (result.kind === 'not_sent')
    return failure(result.code === 'rate_limited' ? 'rate_limited' : 'unreachable', result.reason);
  if (result.kind === 'lost') return failure('unreachable', `the vendor did not answer: ${result.reason}`);
  const { status } = result;
  const error = ERROR.safeParse(result.body).data;
  const said = error?.error ?? error?.message ?? `HTTP ${status}`;
  if (status === 429)
    return failure('rate_limited', `the vendor asks us to slow down (MASSIVE_REQUESTS_PER_MINUTE): ${said}`);
  if (status === 403 && error?.status === 'NOT_AUTHORIZED')
    return failure('not_subscribed', `the plan of MASSIVE_API_KEY lacks this: ${said}`);
  if (status === 401 || status === 403)
    return failure('unauthorized', `the vendor refuses MASSIVE_API_KEY: ${said}`);
  if (status === 404) return failure('unknown_symbol', said);
  if (status >= 500) return failure('unreachable', said);
  if (status !== 200) return failure('refused', said);
  return result.body === undefined ? failure('malformed', 'the vendor’s answer is not JSON') : null;
}

const ERROR = z.object({
  status: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});
