// Values positions at the market: on every tick that moves the price of a holding, and at each day's close.
// Freeze and stop loss follow from it.
import { comparableCloses } from '#engine/end-of-day/comparable-close.ts';
import { applyEvent } from '#engine/execution/deployment/apply-event.ts';
import { closingMark } from '#engine/execution/deployment/equity-mark.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import { previousSession } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import {
  listDeploymentsDue,
  listHoldersOf,
  listRunningDeployments,
} from '#records/deployments/deployment-queues.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { upsertEquityMarks } from '#records/portfolio/equity-marks.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { HOUR_MS, type Instant } from '#units/instant.ts';
import type { TradingContext } from '../trading-context.ts';
import { loadSnapshots } from './load-snapshots.ts';
import { runInBatches } from './run-in-batches.ts';
import { saveTransitions } from './save-transitions.ts';

type Marked = { readonly moved: readonly Symbol[] } | { readonly ids: readonly DeploymentId[] } | 'due';

/**
 * `ids` marks these. 'moved' marks holders of a symbol whose price moved, before anything new is decided. 'due' marks deployments that
 * have not been marked for a while, so that the as-of time on screens stays recent.
 */
export async function markDeployments(context: TradingContext, whom: Marked): Promise<void> {
  const ids = await idsOf(context, whom);
  context.report.deploymentsMarked += await runInBatches(context, {
    task: 'mark',
    ids,
    work: async (trx, batch, present) => {
      const snapshots = await loadSnapshots(trx, batch, present, { lock: 'for update' });
      const event = { type: 'mark', at: present.now, marks: present.marks } as const;
      await saveTransitions(
        trx,
        present,
        snapshots.map((snapshot) => applyEvent(snapshot, event, present)),
      );
    },
  });
}

async function idsOf(context: TradingContext, whom: Marked): Promise<readonly DeploymentId[]> {
  const { database, now, lease } = context;
  if (whom === 'due') return listDeploymentsDue(database, (now - REMARK_MS) as Instant, context);
  return 'ids' in whom ? whom.ids : listHoldersOf(database, whom.moved, lease.shards);
}

/** The row of a closed day: the holdings at that day's closes, with the benchmark's close. */
export async function markClosedDay(context: TradingContext, calendar: CalendarId): Promise<void> {
  const { date, closesAt } = previousSession(heldCalendar(calendar, context.exceptions), context.now);
  const versions = [...context.versions.values()].filter((version) => version.calendar === calendar);
  if (versions.length === 0) return;
  const session = { date, closesAt, closes: comparableCloses(closesAt, context) };
  const ids = await listRunningDeployments(
    context.database,
    versions.map(({ id }) => id),
    { startedBefore: closesAt, shards: context.lease.shards },
  );
  await runInBatches(context, {
    task: 'closing-mark',
    ids,
    work: async (trx, batch) => {
      const records = await loadTradingDeployments(trx, batch, 'unlocked');
      await upsertEquityMarks(
        trx,
        records.map((record) => closingMark(record, session, context)),
      );
    },
  });
}

/** Trading clock. Far below the delay after which a price must be labelled stale. */
const REMARK_MS = HOUR_MS / 4;
