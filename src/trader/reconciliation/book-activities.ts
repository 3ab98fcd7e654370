// Books what brokers itemise: movements of the owner, and their own figures for dividends, swaps and deliveries where our
// estimates stand.
import { bookStatedChange } from '#engine/execution/reconciliation/book-stated-change.ts';
import { judgeActivity } from '#engine/cash/cash-activity.ts';
import { type Share, statedChanges } from '#engine/cash/stated-shares.ts';
import {
  lastActivityDate,
  listEstimatedEvents,
  listOpenActivities,
  listStatedEvents,
  receiveActivities,
  saveActivityVerdict,
  type StatedEvent,
} from '#records/cash/cash-activities.ts';
import { insertCashMovement } from '#records/cash/cash-proposals.ts';
import { insertStatedChange, listDeploymentShares, ownerChanged } from '#records/cash/stated-changes.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId, DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant, instantOfDate, utcDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import type { TradingContext } from '../trading-context.ts';
import type { OwnerDividend } from '#engine/cash/owner-dividends.ts';

/** What the broker lists that may be new; null where it itemises nothing. */
export async function askActivities(
  { database }: TradingContext,
  { connection: { accountId }, session }: Pick<ActiveConnection, 'connection' | 'session'>,
  openedAt: Instant,
) {
  if (session.cashActivities === undefined) return null;
  const last = await lastActivityDate(database, accountId);
  const from = last === null ? openedAt : instant(Math.max(openedAt, instantOfDate(last) - LISTED_LATE_MS));
  return valueOf('cash activities', await session.cashActivities(accountId, utcDate(from)));
}

/** The caller holds the lock of the account's cash. */
export async function bookActivities(
  trx: Transaction,
  context: TradingContext,
  accountId: BrokerAccountId,
  {
    activities,
    owned,
  }: {
    readonly activities: NonNullable<Awaited<ReturnType<typeof askActivities>>>;
    /** The owner's own parts of dividends, as they are booked. */
    readonly owned: readonly OwnerDividend[];
  },
): Promise<void> {
  const { now: at } = context;
  await receiveActivities(trx, accountId, activities, { as: 'open', at });
  for (const activity of await listOpenActivities(trx, accountId, instant(at - OPEN_FOR_MS))) {
    const { kind, symbol, amount, activityId } = activity;
    const held =
      symbol === null
        ? { events: [], isTraded: false }
        : await listEstimatedEvents(trx, accountId, { kind, symbol });
    const verdict = judgeActivity(activity, held);
    if (verdict.type === 'open') continue;
    await saveActivityVerdict(trx, accountId, activity, verdict);
    if (verdict.type !== 'owner') continue;
    const reference = `activity:${activityId}`;
    await insertCashMovement(trx, accountId, { line: verdict.line, amount, reference, at });
  }
  const since = utcDate(instant(at - FIGURES_FOR_MS));
  for (const { activities: stated, ...event } of await listStatedEvents(trx, accountId, since)) {
    const shares: Share<DeploymentId | null>[] = [...(await listDeploymentShares(trx, accountId, event))];
    const own = owned.find((one) => one.symbol === event.symbol && one.sessionDate === event.sessionDate);
    if (event.kind === 'dividend' && own !== undefined && own.units !== 0)
      shares.push({
        holder: null,
        units: own.units,
        estimate: own.amount,
        changed: await ownerChanged(trx, accountId, event),
      });
    for (const { holder, share, change } of statedChanges(stated, shares))
      await bookChange(trx, context, event, { accountId, holder, share, change });
  }
}

async function bookChange(
  trx: Transaction,
  context: TradingContext,
  event: StatedEvent,
  {
    accountId,
    holder,
    share,
    change,
  }: {
    readonly accountId: BrokerAccountId;
    readonly holder: DeploymentId | null;
    readonly share: Micro;
    readonly change: Micro;
  },
): Promise<void> {
  const { now: at } = context;
  if (holder === null) {
    const { kind, symbol, sessionDate } = event;
    // Unique: the same change is never missing twice at one instant.
    const reference = `stated:${kind}:${symbol}:${sessionDate}:${at}`;
    await insertCashMovement(trx, accountId, { line: 'dividends', amount: change, reference, at });
    return;
  }
  const snapshot = await loadSnapshot(trx, holder, context);
  const number = await insertStatedChange(trx, event, { deploymentId: holder, change, at });
  await saveTransitions(trx, context, [
    bookStatedChange(snapshot, { ...event, number, share, change }, context),
  ]);
}

const LISTED_LATE_MS = 7 * DAY_MS;
/** Afterwards it belongs to those who explain the account's cash. */
const OPEN_FOR_MS = 3 * DAY_MS;
/** As long as a late execution may still change who held. */
const FIGURES_FOR_MS = 75 * DAY_MS;
