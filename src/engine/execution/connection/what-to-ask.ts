// What to ask a broker for now. Its lists may be read only every few seconds, so they are read when they can have
// changed: something of ours is unresolved, the stream reported news, or they have not been read for a while, which is longer
// where the stream has been heard without a break. A list that
// may not be read yet is not waited for: what is sent meanwhile rests on the last look, unless news contradicts it.
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';

/** What the stream says of an execution; `symbol` is null for an instrument that is not ours to name. */
export type ExecutionNews = { readonly executionId: ExecutionId; readonly symbol: Symbol | null };

export type LastLook<Execution extends ExecutionNews = ExecutionNews> = {
  /** When the broker's lists were last read; null before the first time. */
  readonly lookedAt: WallInstant | null;
  /** Every look since the last gap was complete, and there was one. */
  readonly isReconciled: boolean;
  /** What the stream has reported since. */
  readonly news: News<Execution>;
  /** The stream has told everything since before that look, but for frames that got lost. */
  readonly isStreamed: boolean;
  /** Ours at the broker: 'unresolved' where one was sent, or asked to be cancelled, and its fate is not known. */
  readonly orders: 'none' | 'working' | 'unresolved';
};

export type News<Execution extends ExecutionNews = ExecutionNews> = {
  /** Something about the account's orders, or about the session. */
  readonly isChanged: boolean;
  /** Executions that are neither booked nor read in a list since. */
  readonly unread: ReadonlyMap<ExecutionId, Execution>;
};

export const NO_NEWS: News<never> = { isChanged: false, unread: new Map<ExecutionId, never>() };

/** A repeated frame changes nothing. */
export function afterNews<Execution extends ExecutionNews>(
  news: News<Execution>,
  execution?: Execution,
): News<Execution> {
  if (execution === undefined) return { ...news, isChanged: true };
  return { isChanged: true, unread: new Map([...news.unread, [execution.executionId, execution]]) };
}

/** What was booked from the stream. A list still follows: it may show what the stream left out. */
export function afterBooking<Execution extends ExecutionNews>(
  news: News<Execution>,
  booked: ReadonlySet<ExecutionId>,
): News<Execution> {
  return { ...news, unread: new Map([...news.unread].filter(([id]) => !booked.has(id))) };
}

/** Whether to read the lists now. `everyMs` is how often the broker allows it: 0 where it sets no limit. */
export function isLookDue(look: LastLook, realNow: WallInstant, everyMs: number): boolean {
  if (look.lookedAt === null) return true;
  const since = msBetween(look.lookedAt, realNow);
  // A clock that was set back says nothing about how long ago it was.
  if (since < 0) return true;
  return since >= Math.max(everyMs, lookInterval(look, everyMs));
}

function lookInterval({ isReconciled, news, orders, isStreamed }: LastLook, everyMs: number): number {
  if (orders === 'unresolved' || !isReconciled) return everyMs;
  if (news.isChanged) return orders === 'none' ? LOOK_AT_NEWS_MS : everyMs;
  // Where they may be read at will, the stream stays a hint.
  if (isStreamed && everyMs > 0) return orders === 'working' ? STREAMED_ORDERS_MS : STREAMED_MS;
  return orders === 'working' ? Math.min(2 * everyMs, LOOK_ANYWAY_MS) : LOOK_ANYWAY_MS;
}

/**
 * Whether an order in the instrument may leave without another look. Not on data from before a gap, and not while an
 * execution that could have changed its position has been reported but not read. Where the lists may be read at will, every
 * tick reads them before it sends.
 */
export function maySend(
  { isReconciled, news: { unread } }: LastLook,
  symbol: Symbol,
  everyMs: number,
): boolean {
  if (everyMs === 0) return isReconciled;
  const filled = new Set([...unread.values()].map((execution) => execution.symbol));
  return isReconciled && !filled.has(symbol) && !filled.has(null);
}

/** Whether to look before anything is sent, if a look is due. */
export function looksFirst({ isReconciled, news: { unread } }: LastLook, everyMs: number): boolean {
  return !isReconciled || (everyMs > 0 && unread.size > 0);
}

/**
 * Whether executions are booked from the stream: only where the lists may not be read at will, and never in a gap. A gap
 * ends with a list that reaches back to before it.
 */
export function booksNews({ isReconciled, news: { unread } }: LastLook, everyMs: number): boolean {
  return everyMs > 0 && isReconciled && unread.size > 0;
}

/** Without our orders too: the client may trade by hand, and permission may end. */
const LOOK_ANYWAY_MS = 30 * SECOND_MS;
/** For a frame that got lost. */
const STREAMED_ORDERS_MS = MINUTE_MS;
const STREAMED_MS = 5 * MINUTE_MS;
/** Frames about orders that are not ours come in bursts. */
const LOOK_AT_NEWS_MS = 5 * SECOND_MS;
