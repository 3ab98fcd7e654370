// Positions are valued at the market: on every tick that moves a price somebody holds, and at each day's close.
// Freeze and stop loss follow from it.
import { previousSession } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import {
  listDeploymentsDue,
  listHoldersOf,
  listRunningDeployments,
} from '#records/deployments/deployment-queues.ts';
import { upsertEquityMarks } from '#records/portfolio/equity-marks.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { HOUR_MS, type Instant } from '#units/instant.ts';
import { saveTransitions } from './state-transition.ts';
import { hasPendingCorporateAction } from '#engine/end-of-day/pending-corporate-action.ts';
import { runInBatches } from './run-in-batches.ts';
import { applyEvent } from './apply-event.ts';
import { loadSnapshots } from './deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';
import { valueHoldings } from './value-holdings.ts';

/**
 * 'moved' marks those who hold something whose price moved, before anything new is decided. 'due' marks everybody who
 * has not been looked at for a while, so that the as-of time of what people see stays near.
 */
export async function markDeployments(
  context: TradingContext,
  whom: { readonly moved: readonly Symbol[] } | 'due',
): Promise<void> {
  const ids =
    whom === 'due'
      ? await listDeploymentsDue(context.database, (context.now - REMARK_MS) as Instant, context)
      : await listHoldersOf(context.database, whom.moved, context.lease.shards);
  context.report.deploymentsMarked += await runInBatches(context, {
    task: 'mark',
    ids,
    work: async (trx, batch) => {
      const snapshots = await loadSnapshots(trx, batch, context, { lock: 'for update' });
      const event = { type: 'mark', at: context.now, marks: context.marks } as const;
      const changes = snapshots.map((snapshot) => applyEvent(snapshot, event, context));
      await saveTransitions(trx, changes);
      for (const { orders } of changes) context.report.ordersWritten += orders.length;
    },
  });
}

/** The row of a day that has closed: what was held, at that day's closes, beside the benchmark's close. */
export async function markClosedDay(context: TradingContext, calendar: CalendarId): Promise<void> {
  const { date, closesAt } = previousSession(calendar, context.now);
  const versions = [...context.versions.values()].filter((version) => version.calendar === calendar);
  if (versions.length === 0) return;
  const closes = closesBy(context, closesAt);
  const ids = await listRunningDeployments(
    context.database,
    versions.map(({ id }) => id),
    { startedBefore: closesAt, shards: context.lease.shards },
  );
  await runInBatches(context, {
    task: 'closing-mark',
    ids,
    work: async (trx, batch: readonly DeploymentId[]) => {
      const records = await loadTradingDeployments(trx, batch, 'unlocked');
      const { instruments, unpriced } = context;
      const prices = { instruments, unpriced };
      await upsertEquityMarks(
        trx,
        records.map((record) => {
          const stored = [...record.holdings.values()].map(
            ({ symbol, markPrice }) => [symbol, markPrice] as const,
          );
          const marks = new Map([...stored, ...context.marks, ...closes]);
          const portfolio = { cash: record.cash, positions: record.holdings, realized: record.realized };
          const valued = valueHoldings(portfolio, record.holdings, closesAt, { ...prices, marks });
          const benchmark = context.versions.get(record.versionId)?.definition.benchmark;
          return {
            deploymentId: record.id,
            date,
            at: closesAt,
            cash: record.cash,
            positions: valued.positionsValue,
            equity: valued.equity,
            benchmark:
              benchmark === undefined
                ? null
                : (closes.get(benchmark) ?? context.marks.get(benchmark) ?? null),
          };
        }),
      );
    },
  });
}

/** Closes of the bars that end at this instant, but for what has split or paid since: that has its new price already. */
function closesBy(context: TradingContext, at: Instant): Map<Symbol, number> {
  const closes = new Map<Symbol, number>();
  for (const symbol of context.instruments.keys()) {
    const bar = context.barCloses.newestBar(symbol);
    if (bar?.closedAt === at && !hasPendingCorporateAction(symbol, bar.date, context))
      closes.set(symbol, bar.close);
  }
  return closes;
}

/** Trading clock. Far below the delay after which a price must be called stale. */
const REMARK_MS = HOUR_MS / 4;
