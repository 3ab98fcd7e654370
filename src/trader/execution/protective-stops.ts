// Keeps protective stops at the broker in step with positions, in each session anew. A position without one gets an
// intent; a stop that no longer fits is withdrawn, or cancelled and replaced once the broker has confirmed the cancel. The gates and waits of a
// stop are those of every other order, checked at the moment of sending.
import { isStopLookDue, placeStops } from '#engine/execution/stops/place-stops.ts';
import { isStopTime } from '#engine/execution/stops/protective-stops.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import { CALENDARS } from '#engine/market/instrument.ts';
import type { Broker } from '#ports/broker.ts';
import { countStopAttempts, listStopMismatches } from '#records/execution/protective-orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerConnectionId, DeploymentId } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { stopTerms } from './stop-terms.ts';

/** Kept between ticks; all of it can be read again from the records. */
export type StopMemory = {
  /** Null before the first look. */
  lookedAt: WallInstant | null;
  /** Fills and adjustments booked and orders ended in this tick at the time of the last look. */
  changesSeen: number;
  /** Connections of deployments whose stops at the broker do not match their positions. */
  readonly mismatched: Set<BrokerConnectionId>;
};

export function newStopMemory(): StopMemory {
  return { lookedAt: null, changesSeen: 0, mismatched: new Set() };
}

export async function maintainStops(context: TradingContext, memory: StopMemory): Promise<void> {
  const withStops = context.brokers.filter(({ limits }) => (limits.stopKinds ?? []).length > 0);
  if (withStops.length === 0 || !isStopLookDue(memory, changesOf(context), context.realNow())) return;
  memory.lookedAt = context.realNow();
  memory.changesSeen = changesOf(context);
  memory.mismatched.clear();
  try {
    for (const broker of withStops) await maintainStopsAt(context, broker, memory);
  } catch (error) {
    // The second line waits; nothing else waits for it.
    const about = { kind: 'tick_failing', subject: 'protective-stops', task: 'protective-stops' } as const;
    noteProblem(context, 'protective stops', error, about);
  }
}

async function maintainStopsAt(context: TradingContext, broker: Broker, memory: StopMemory): Promise<void> {
  const { kinds, isResetNear } = stopTerms(context, broker);
  const found = await listStopMismatches(context.database, {
    shards: context.lease.shards,
    vendor: broker.vendor,
    kinds,
    calendars: CALENDARS.filter((calendar) =>
      isStopTime(heldCalendar(calendar, context.exceptions), context.now),
    ),
    isResetNear,
  });
  for (const { connectionId } of found) memory.mismatched.add(connectionId);
  await runInBatches(context, {
    task: 'protective-stops',
    ids: found.map(({ deploymentId }) => deploymentId),
    work: (trx, ids, present) => saveStops(trx, ids, present, broker),
  });
}

function changesOf({ report }: TradingContext): number {
  return report.fillsBooked + report.adjustmentsBooked + report.ordersEnded;
}

async function saveStops(
  trx: Transaction,
  ids: readonly DeploymentId[],
  context: TradingContext,
  broker: Broker,
): Promise<void> {
  const snapshots = await loadSnapshots(trx, ids, context, { lock: 'for update' });
  const made = Map.groupBy(await countStopAttempts(trx, ids), ({ deploymentId }) => deploymentId);
  const terms = stopTerms(context, broker);
  const transitions = snapshots.flatMap(
    (snapshot) =>
      placeStops(snapshot, { terms, attempts: made.get(snapshot.record.id) ?? [] }, context) ?? [],
  );
  await saveTransitions(trx, context, transitions);
}
