// End-of-day processing: the effect of a session's end is applied once to each deployment that holds something over it,
// before any decision on the close. Later trades do not share in it.
import { type SessionCloses, sessionCloses } from '#engine/end-of-day/session-closes.ts';
import {
  changedHolders,
  type CountedHoldings,
  countHoldings,
  type Holder,
} from '#engine/end-of-day/session-holders.ts';
import { sessionsToProcess } from '#engine/end-of-day/sessions-to-process.ts';
import { lastEndedDay } from '#engine/market/calendar-exceptions.ts';
import { type CalendarId, CALENDARS } from '#engine/market/instrument.ts';
import { MARKET_SHARD } from '#records/operations/trading-shards.ts';
import {
  listHoldersAt,
  listProcessedSessions,
  lockEndOfDay,
  saveProcessedSession,
} from '#records/portfolio/position-events.ts';
import type { IsoDate } from '#units/instant.ts';
import type { BarHistory } from '../market-data/bar-history.ts';
import { noteProblem, type TickContext, type TradingContext } from '../trading-context.ts';
import { applySession } from './apply-session.ts';

/** The last processed session of each calendar, as read from the records; kept between ticks. */
export type EndOfDayMemory = { processed: Map<CalendarId, IsoDate> | null };

export async function processEndOfDay(
  context: TradingContext,
  history: BarHistory,
  memory: EndOfDayMemory,
): Promise<void> {
  memory.processed ??= await listProcessedSessions(context.database, ownShards(context));
  // Not before the trader that ingests the bars has processed it: they are the closes that a session counts with.
  const ofMarket = context.lease.hasMarket
    ? null
    : await listProcessedSessions(context.database, [MARKET_SHARD]);
  const listed = new Set([...context.instruments.values()].map(({ calendar }) => calendar));
  for (const calendar of CALENDARS.filter((one) => listed.has(one))) {
    const dates = sessionsToProcess(calendar, {
      processed: memory.processed.get(calendar),
      closed: lastEndedDay(calendar, context.now, context.exceptions),
      limit: ofMarket === null ? undefined : (ofMarket.get(calendar) ?? null),
    });
    for (const date of dates) {
      try {
        const market = { ...context, isHeldToExpiry: context.mode === 'live' };
        await processSession(context, sessionCloses(market, history, { calendar, date }));
        memory.processed.set(calendar, date);
      } catch (error) {
        // The session is retried: nothing is applied twice.
        const about = { kind: 'end_of_day_stuck', subject: calendar, task: date } as const;
        noteProblem(context, `end-of-day processing of ${date} (${calendar})`, error, about);
        break;
      }
    }
  }
}

/** The last session of each calendar whose end of day has been processed. */
export async function processedSessions(
  context: TickContext,
  memory: EndOfDayMemory,
): Promise<ReadonlyMap<CalendarId, IsoDate>> {
  memory.processed ??= await listProcessedSessions(context.database, ownShards(context));
  return memory.processed;
}

function ownShards({ lease }: TickContext): readonly number[] {
  return lease.hasMarket ? [...lease.shards, MARKET_SHARD] : lease.shards;
}

async function processSession(context: TradingContext, closed: SessionCloses): Promise<void> {
  let counted: CountedHoldings = new Map();
  let holders: readonly Holder[] = await listHoldersAt(context.database, closed.closedAt, context.lease);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    counted = countHoldings(counted, holders);
    const awaited = await applySession(context, closed, holders);
    if (awaited.size > 0)
      throw new Error(`it waits for ${awaited.size} ${awaited.size === 1 ? 'deployment' : 'deployments'}`);
    holders = await completeSession(context, closed, counted);
    if (holders.length === 0) return;
  }
  throw new Error('what was held at its close changes again and again');
}

/**
 * Marks the session as processed, unless an execution from before its close was booked since the holders were listed:
 * then returns the deployments whose holding has changed. A later booking of such an execution finds it processed.
 */
async function completeSession(
  context: TradingContext,
  { calendar, date, closedAt }: SessionCloses,
  counted: CountedHoldings,
): Promise<readonly Holder[]> {
  return context.database.transaction().execute(async (trx) => {
    await lockEndOfDay(trx, calendar, 'alone');
    const left = changedHolders(counted, await listHoldersAt(trx, closedAt, context.lease));
    if (left.length === 0) await saveProcessedSession(trx, { calendar, date, shards: ownShards(context) });
    return left;
  });
}

/** One round for the holders, one for holdings that the session itself changed, and some for late executions. */
const ROUNDS_MAX = 6;
