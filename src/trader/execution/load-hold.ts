import { type AccountRestriction, restrictionOf } from '#engine/execution/connection/account-terms.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import {
  findHold,
  type Hold,
  type HoldSnapshot,
  mayLackQuantity,
  mustReadAgain,
} from '#engine/execution/orders/order-holds.ts';
import { takesCover } from '#engine/execution/orders/takes-cover.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import { type AroundOrder, heldAgainst } from '#records/execution/account-orders.ts';
import { listHalted } from '#records/operations/kill-switches.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';
import { msBetween } from '#units/wall-instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { findAccountBook } from '../reconciliation/account-books.ts';
import type { TradingContext } from '../trading-context.ts';

/** What an order waits for, given the current state of its account. The caller holds the lock of the account's orders. */
export async function loadHold(
  trx: Transaction,
  context: TradingContext,
  active: ActiveConnection,
  {
    order,
    snapshot,
    around,
  }: { readonly order: OrderRecord; readonly snapshot: DeploymentSnapshot; readonly around: AroundOrder },
): Promise<Hold | null> {
  const { known: remembered } = active;
  const { symbol, purpose } = order.decided;
  const keepsStopsApart = active.broker.limits.keepsStopsApart === true;
  const known = {
    order,
    openOrders: snapshot.openOrders,
    held: snapshot.record.holdings.get(symbol)?.quantity ?? 0,
    accountOrders: around.atBroker,
    unsure: remembered.health.unsure.get(symbol) ?? null,
    hasLostFill: around.hasLostFill,
    isHalted: context.halted.has(symbol),
    restriction: restrictionFor(context, active, { order, snapshot }),
    isExitWaiting: purpose === 'rebalance' && around.isExitInLine,
    keepsStopsApart,
    takesCover: active.broker.limits.keepsCover === true && takesCover(order, snapshot),
    isOrderWaiting:
      keepsStopsApart && purpose === 'protective' && (await isOrderInLine(trx, around.waitingAcross)),
  };
  const hold = findHold({ ...known, ...(await loadAccount(trx, active, known)) });
  const { health } = remembered;
  const { heldAt } = health;
  if (heldAt !== null && mustReadAgain(hold, msBetween(heldAt, context.realNow())))
    remembered.health = { ...health, heldAt: null };
  return hold;
}

function restrictionFor(
  { instruments }: TradingContext,
  { session }: ActiveConnection,
  {
    order: { decided },
    snapshot: { record },
  }: { readonly order: OrderRecord; readonly snapshot: DeploymentSnapshot },
): AccountRestriction | null {
  const terms = session.accountTerms?.();
  const instrument = instruments.get(decided.symbol);
  if (terms === undefined || instrument === undefined) return null;
  const held = record.holdings.get(decided.symbol)?.quantity ?? ZERO_QUANTITY;
  const { kind, multiplier } = instrument;
  return restrictionOf(terms, { ...decided, kind, multiplier, held });
}

/** Of deployments that a kill switch halts, no order is about to leave: a stop does not stay away for them. */
async function isOrderInLine(trx: Transaction, waiting: readonly DeploymentId[]): Promise<boolean> {
  if (waiting.length === 0) return false;
  const halted = await listHalted(trx, waiting);
  return waiting.some((id) => !halted.has(id));
}

/** The books of an account are read only when the broker's positions alone leave a quantity missing. */
async function loadAccount(
  trx: Transaction,
  { connection: { accountId: account }, known: { health } }: ActiveConnection,
  known: Pick<HoldSnapshot, 'order' | 'openOrders' | 'held' | 'accountOrders'>,
): Promise<Pick<HoldSnapshot, 'account' | 'external'>> {
  const { symbol, side } = known.order.decided;
  if (health.held === null) return { account: null, external: null };
  const net = health.held.get(symbol) ?? 0;
  if (!mayLackQuantity(known, net)) return { account: null, external: null };
  const against = await heldAgainst(trx, { account, symbol, side });
  const book = await findAccountBook(trx, account, symbol);
  const shortfall = book?.shortfall ?? ZERO_QUANTITY;
  return { account: { net, against, shortfall }, external: book?.externalPosition ?? null };
}
