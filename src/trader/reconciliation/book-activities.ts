// Books what brokers itemise: movements of the owner, their own figures for dividends, swaps and deliveries where our
// estimates stand, and the fees of a day's trades.
import { newYorkDate } from '#engine/market/calendar-new-york-time.ts';
import { bookStatedChange } from '#engine/execution/reconciliation/book-stated-change.ts';
import { type CashActivity, isAheadOfBooks, judgeActivity } from '#engine/cash/cash-activity.ts';
import { feeChanges } from '#engine/cash/fee-shares.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { type Share, type StatedChange, statedChanges } from '#engine/cash/stated-shares.ts';
import {
  lastActivityDate,
  listEstimatedEvents,
  listOpenActivities,
  listStatedEvents,
  receiveActivities,
  saveActivityVerdict,
  type StatedEvent,
} from '#records/cash/cash-activities.ts';
import { listCoinTradeDays } from '#records/cash/coin-fees.ts';
import { hasTraded, listDayTrades } from '#records/cash/day-trades.ts';
import { insertCashMovement } from '#records/cash/cash-breaks.ts';
import { insertStatedChange, listDeploymentShares, ownerChanged } from '#records/cash/stated-changes.ts';
import { listProcessedSessions } from '#records/portfolio/position-events.ts';
import { bookRoundTrips } from '#records/portfolio/round-trips.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, type IsoDate, instant, instantOfDate, utcDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import type { TradingContext } from '../trading-context.ts';
import { bookCoinFees } from './book-coin-fees.ts';
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
  return valueOf('cash activities', await session.cashActivities(accountId, newYorkDate(from)));
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
  const open = await listOpenActivities(trx, accountId, instant(at - OPEN_FOR_MS));
  const processed = open.length === 0 ? NONE : await listProcessedSessions(trx, context.lease.shards);
  for (const activity of open) {
    if (isAhead(activity, processed, context)) continue;
    const { amount, activityId } = activity;
    const verdict = judgeActivity(activity, await eventsOf(trx, accountId, activity));
    if (verdict.type === 'open') continue;
    await saveActivityVerdict(trx, accountId, activity, verdict);
    if (verdict.type !== 'owner') continue;
    const reference = `activity:${activityId}`;
    await insertCashMovement(trx, accountId, { line: verdict.line, amount, reference, at });
  }
  const since = utcDate(instant(at - FIGURES_FOR_MS));
  for (const { activities: stated, ...event } of await listStatedEvents(trx, accountId, since)) {
    if (event.kind === 'coin_fee') await bookCoinFees(trx, context, accountId, { event, stated });
    else await bookStated(trx, context, accountId, { event: { ...event, kind: event.kind }, stated, owned });
  }
}

async function bookStated(
  trx: Transaction,
  context: TradingContext,
  accountId: BrokerAccountId,
  facts: Pick<Parameters<typeof changesOf>[1], 'event' | 'stated' | 'owned'>,
): Promise<void> {
  for (const change of await changesOf(trx, { accountId, ...facts }))
    await bookChange(trx, context, facts.event, { accountId, ...change });
}

/** Of holdings, or of all trades of a day. */
type SharedEvent = StatedEvent & { readonly kind: Exclude<StatedEvent['kind'], 'coin_fee'> };

function isAhead(
  activity: CashActivity,
  processed: ReadonlyMap<CalendarId, IsoDate>,
  { actions, instruments }: TradingContext,
): boolean {
  const instrument = activity.symbol === null ? undefined : instruments.get(activity.symbol);
  if (instrument === undefined) return false;
  const { symbol, calendar } = instrument;
  return isAheadOfBooks(activity, actions.get(symbol) ?? [], {
    calendar,
    processed: processed.get(calendar),
  });
}

const NONE: ReadonlyMap<CalendarId, IsoDate> = new Map();

async function eventsOf(
  trx: Transaction,
  accountId: BrokerAccountId,
  { kind, symbol, date }: CashActivity,
): Promise<Parameters<typeof judgeActivity>[1]> {
  if (kind === 'coin_fee' && symbol !== null) {
    const days = await listCoinTradeDays(trx, accountId, symbol);
    return {
      events: days.map((sessionDate) => ({ sessionDate, isStated: false })),
      isTraded: days.length > 0,
    };
  }
  if (kind === 'trading_fee') {
    const isTraded = await hasTraded(trx, accountId, { symbol: symbol ?? EVERY_SYMBOL, date });
    return { events: isTraded ? [{ sessionDate: date, isStated: false }] : [], isTraded };
  }
  return symbol === null
    ? { events: [], isTraded: false }
    : listEstimatedEvents(trx, accountId, { kind, symbol });
}

/** What each holder's books lack of the broker's figures. */
async function changesOf(
  trx: Transaction,
  {
    accountId,
    stated,
    event,
    owned,
  }: {
    readonly accountId: BrokerAccountId;
    readonly stated: readonly CashActivity[];
    readonly event: SharedEvent;
    readonly owned: readonly OwnerDividend[];
  },
): Promise<readonly StatedChange<DeploymentId | null>[]> {
  if (event.kind === 'trading_fee') {
    const { symbol, sessionDate: date } = event;
    const traders = await listDayTrades(trx, accountId, { symbol, date });
    return feeChanges(stated, traders);
  }
  const shares: Share<DeploymentId | null>[] = [...(await listDeploymentShares(trx, accountId, event))];
  const own = owned.find((one) => one.symbol === event.symbol && one.sessionDate === event.sessionDate);
  if (event.kind === 'dividend' && own !== undefined && own.units !== 0)
    shares.push({
      holder: null,
      units: own.units,
      estimate: own.amount,
      changed: await ownerChanged(trx, accountId, event),
    });
  return statedChanges(stated, shares);
}

async function bookChange(
  trx: Transaction,
  context: TradingContext,
  event: SharedEvent,
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
    const line = kind === 'trading_fee' ? 'fees' : 'dividends';
    await insertCashMovement(trx, accountId, { line, amount: change, reference, at });
    return;
  }
  const snapshot = await loadSnapshot(trx, holder, context);
  const number = await insertStatedChange(trx, event, { deploymentId: holder, change, at });
  await saveTransitions(trx, context, [
    bookStatedChange(snapshot, { ...event, number, share, change }, context),
  ]);
  const { symbol } = event;
  // It corrects an event that may be of a round trip which has closed since.
  if (symbol !== EVERY_SYMBOL)
    await bookRoundTrips(trx, [{ deploymentId: holder, symbol, from: 'all' }], context.instruments);
}

const EVERY_SYMBOL = '' as Symbol;
const LISTED_LATE_MS = 7 * DAY_MS;
/** Afterwards it belongs to those who explain the account's cash. */
const OPEN_FOR_MS = 3 * DAY_MS;
/** As long as a late execution may still change who held. */
const FIGURES_FOR_MS = 75 * DAY_MS;
