// The performance fee of ended periods: frozen at the cut-off, billed once, the owner notified. A bill is written
// under the lock of its deployment, so that a booking, a liquidation and another bill come wholly before or after it.
import { actAs } from '#records/operations/audit-log.ts';
import { stableId } from '#records/postgres/stable-id.ts';
import type { Database, Transaction } from '#records/postgres/database.ts';
import {
  type BilledDeployment,
  freezeFeeFigures,
  insertFeeBills,
  listDeploymentsToBill,
  listEndedToBill,
  lockForBilling,
  type NewFeeBill,
  type PeriodEnds,
} from '#records/fees/fee-bills.ts';
import { insertNotifications, type NewNotification } from '#records/notifications/notifications-outbox.ts';
import { feeBill } from '#rules/fees/fee-bill.ts';
import { awaitsCommissionsAfter, duePeriod } from '#rules/fees/due-period.ts';
import { feeDueAt, lastFeePeriodEnd } from '#rules/fees/fee-period.ts';
import type { BrokerConnectionId, DeploymentId, NotificationId } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { correctClosingBills } from './correct-closing-bills.ts';
import { chargedTo, decideCharges } from './charged-clients.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import type { TradingContext } from '../trading-context.ts';

/** Kept between ticks: the period ends for which no deployment of the trader's shards is left to bill. */
export type BillingMemory = { done: string | null; correctedAt?: Instant };

/** Bills what is due, up to a limit per tick: orders do not wait for bills. Nothing is due where there is no provider. */
export async function billFees(context: TradingContext, memory: BillingMemory): Promise<void> {
  if (context.withoutFees === true) return;
  await correctClosingBills(context, memory);
  const ends = periodEnds(context.now);
  const key = `${context.lease.key} ${ends.weekly} ${ends.monthly}`;
  const whom = { shards: context.lease.shards, limit: BILLED_A_TICK };
  const ids =
    memory.done === key
      ? await listEndedToBill(context.database, ends, whom)
      : await listDeploymentsToBill(context.database, ends, whom);
  if (ids.length === 0) {
    memory.done = key;
    return;
  }
  const fence = (trx: Transaction, connections: readonly BrokerConnectionId[]) =>
    context.lease.fence(trx, connections);
  await runInBatches(context, {
    task: 'billing',
    ids,
    size: BATCH_SIZE,
    isTrading: false,
    work: async (trx, batch) => {
      await billBatch(trx, batch, { now: context.now, newId: context.newId, fence });
    },
  });
}

export type Billing = {
  /** Trading clock. */
  readonly now: Instant;
  readonly newId: () => string;
  /** Actor for the audit log, if it is not the trader. */
  readonly actor?: string;
  /** Makes sure that the biller may write for these connections. */
  readonly fence?: (trx: Transaction, connections: readonly BrokerConnectionId[]) => Promise<void>;
};

/** Bills everything due, for all users. Returns how many bills were written. */
export async function billAllDue(database: Database, billing: Billing): Promise<number> {
  const ends = periodEnds(billing.now);
  // What could not be billed is not looked at again: the list would name it without end.
  const except: DeploymentId[] = [];
  let bills = 0;
  for (;;) {
    const ids = await listDeploymentsToBill(database, ends, { shards: null, limit: BATCH_SIZE, except });
    if (ids.length === 0) return bills;
    const billed = await database.transaction().execute(async (trx) => {
      if (billing.actor !== undefined) await actAs(trx, billing.actor);
      return billBatch(trx, ids, billing);
    });
    bills += billed.size;
    except.push(...ids.filter((id) => !billed.has(id)));
  }
}

/** One period of each due deployment; periods that another biller wrote meanwhile are skipped. Returns which were billed. */
export async function billBatch(
  trx: Transaction,
  ids: readonly DeploymentId[],
  { now, newId, fence }: Billing,
): Promise<ReadonlySet<DeploymentId>> {
  const deployments = await lockForBilling(trx, ids);
  await fence?.(
    trx,
    deployments.map(({ connectionId }) => connectionId),
  );
  const due = deployments.flatMap((deployment) => duePeriod(deployment, now) ?? []);
  const bills = new Map(due.map((period) => [period.id, period]));
  const owners = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  const charges = await decideCharges(trx, deployments, due);
  const written = (await freezeFeeFigures(trx, due)).map((figures): NewFeeBill => {
    const { start, end, isClosing } = bills.get(figures.id)!;
    const { hasEstimates } = owners.get(figures.id)!;
    return {
      // The same after a restore of the database: the payment service knows by it what was paid since.
      id: stableId(`fee bill ${figures.id} ${figures.number}`),
      figures,
      ...chargedTo(charges.get(figures.id)!, feeBill(figures)),
      start,
      end,
      isClosing,
      hasEstimates,
      dueAt: feeDueAt(end),
    };
  });
  await insertFeeBills(trx, written);
  await insertNotifications(
    trx,
    written
      .filter(({ bill }) => bill.fee > 0)
      .map((bill) => noticeOf(bill, owners.get(bill.figures.id)!, newId)),
  );
  return new Set(written.map(({ figures }) => figures.id));
}

function noticeOf(
  { figures, bill, end, isClosing }: NewFeeBill,
  { id, userId, strategyName }: BilledDeployment,
  newId: () => string,
): NewNotification {
  const kind = 'fee_billed';
  return {
    id: newId() as NotificationId,
    userId,
    deploymentId: id,
    facts: {
      kind,
      strategyName,
      fee: bill.fee,
      profit: bill.profit,
      above: bill.adjustedMark,
      until: utcDate(isClosing ? end : ((end - 1) as Instant)),
    },
    cause: `${kind}:${id}:${figures.number}`,
    at: end,
  };
}

export function periodEnds(now: Instant): PeriodEnds {
  return {
    weekly: lastFeePeriodEnd('weekly', now),
    monthly: lastFeePeriodEnd('monthly', now),
    awaitsAfter: awaitsCommissionsAfter(now),
    now,
  };
}

/** Few enough that locks are short: a booking of one of them waits for the whole batch. */
const BATCH_SIZE = 200;
const BILLED_A_TICK = 1_000;
