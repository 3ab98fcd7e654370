import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import { session, type Session } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Terms } from '../orders/protections.ts';

type Plan = 'free' | 'subscribed';

/** When trading in each halted share ended. */
export type Halts = Map<string, Instant>;

/** Of the stand-in for Alpaca's market data. */
export type Settings = {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly keys: { readonly id: string; readonly secret: string };
  /** The free plan has the prices of all exchanges a quarter of an hour late. */
  readonly plan?: Plan;
  /** Rows of a page of bars at most, below the vendor's 10,000. */
  readonly pageRows?: number;
  /** The exchange closes on a day that the rules do not know. */
  readonly closedOn?: ReadonlySet<IsoDate>;
  /** It closes at 13:00 on a day that the rules do not know. */
  readonly earlyOn?: ReadonlySet<IsoDate>;
  /** Minutes in which nothing trades. */
  readonly untraded?: (symbol: Symbol, minute: Instant) => boolean;
  readonly terms?: Terms;
  readonly halts?: Halts;
  /** Of the stream of prices; those of requests are of the trading stand-in on the same server. */
  readonly faults?: FaultPlan;
};

export type Query = Readonly<Record<string, string | undefined>>;

export type Get = (
  path: string,
  answer: (query: Query, reply: FastifyReply, request: FastifyRequest) => unknown,
) => void;

/** Answers unless the keys are wrong. */
export function answering(app: FastifyInstance, { keys }: Settings): Get {
  return (path, answer) =>
    void app.get(path, (request, reply) => {
      const { 'apca-api-key-id': id, 'apca-api-secret-key': secret } = request.headers;
      if (id !== keys.id || secret !== keys.secret) return reply.code(403).send({ message: 'forbidden.' });
      return answer(request.query as Query, reply, request);
    });
}

export function sessionOn(date: IsoDate, { closedOn, earlyOn }: Settings): Session | null {
  const usual = closedOn?.has(date) === true ? null : session('us-equity', date);
  return usual !== null && earlyOn?.has(date) === true
    ? { ...usual, closesAt: newYorkInstant(date, EARLY_CLOSE_MINUTE) }
    : usual;
}

const EARLY_CLOSE_MINUTE = 13 * 60;

export const NOT_SUBSCRIBED = { message: 'subscription does not permit querying recent SIP data' };

/** The free plan has the prices of all exchanges, and the delayed feed has all, so late. */
export const RECENT_MS = 15 * MINUTE_MS;
