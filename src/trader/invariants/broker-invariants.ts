// Orders, executions and positions of one connection at the broker, compared with the records.
import type { UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerAnswer, BrokerSession } from '#ports/broker.ts';
import { withoutAwaited } from '#engine/execution/reconciliation/reconcile-positions.ts';
import { closingAtBroker, closingExcess } from '#engine/execution/stops/closing-excess.ts';
import { heldAgainst } from '#records/execution/account-orders.ts';
import { knownExecutions, verifiedSince } from '#records/execution/fills.ts';
import { findOrder, listClosingOrders } from '#records/execution/orders.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import { hasMovedSince, unexplainedCash } from '#engine/cash/cash-statement.ts';
import { conversionOf, ratesOpenSince } from '#engine/cash/conversion.ts';
import { nettingDoubt } from '#engine/cash/net-position.ts';
import { findOpening } from '#records/cash/account-openings.ts';
import { findPendingSince, listForeignResults, sumMovedCash } from '#records/cash/cash-facts.ts';
import { findCashBreak, sumStatementsBefore } from '#records/cash/cash-statements.ts';
import { listNetHistories } from '#records/cash/net-histories.ts';
import type { Invariant, Violation } from '#records/invariants/invariant.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { type Quantity, quantityText } from '#units/quantity.ts';
import { readAccountBooks, readShortfall } from '../reconciliation/account-books.ts';

/** What is compared with the records. */
export type BrokerReading = Pick<BrokerSession, 'orders' | 'executions' | 'positions' | 'cash'>;

/** Throws when the broker does not answer: then nothing can be concluded. */
export function brokerInvariants(
  connection: TradingConnection,
  session: BrokerReading,
): readonly Invariant[] {
  const account = connection.accountId;
  let unbookedBefore: ReadonlySet<unknown> | null = null;
  return [
    {
      id: 'I1',
      says: `Every order of ours at the broker has one intent that says the same (account ${account})`,
      find: (database) => findUnintended(database, connection, session),
    },
    {
      id: 'I2',
      says: `Every execution that the broker reports is booked or kept as external (account ${account})`,
      async find(database) {
        const unbooked = await findUnbooked(database, connection, session);
        // One that the look before did not find has happened since, and the trader may not have read it yet.
        const lasting = unbooked.filter(({ execution_id: id }) => unbookedBefore?.has(id) ?? true);
        unbookedBefore = new Set(unbooked.map(({ execution_id: id }) => id));
        return lasting;
      },
    },
    {
      id: 'I5',
      says: `The positions of all deployments and external trades are the broker's (account ${account})`,
      find: (database) => findUnequalPositions(database, connection, session),
    },
    {
      id: 'I7',
      says: `The stops and exits that work at the broker close at most what it holds (account ${account})`,
      find: (database) => findClosingTooMuch(database, connection, session),
    },
    {
      id: 'I21',
      says: 'The cash of the account is explained to the cent, or a person is asked',
      find: (database) => findUnexplainedCash(database, connection, session),
    },
  ];
}

type Database = Parameters<Invariant['find']>[0];

async function findUnintended(
  database: Database,
  connection: TradingConnection,
  session: BrokerReading,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const listed of valueOf(await session.orders(connection.accountId))) {
    const { clientOrderId, brokerOrderId } = listed;
    if (!clientOrderId?.startsWith(OUR_PREFIX)) continue;
    const order = await findOrder(database, { connection: connection.id, clientOrderId, brokerOrderId });
    const decided = order?.decided;
    const agrees =
      decided?.clientOrderId === clientOrderId &&
      decided.symbol === listed.symbol &&
      decided.side === listed.side &&
      decided.quantity === listed.quantity;
    if (!agrees || order?.status === 'withdrawn') {
      violations.push({
        account_id: connection.accountId,
        broker_order_id: brokerOrderId,
        client_order_id: clientOrderId,
        ours: order?.status ?? 'no such order',
      });
    }
  }
  return violations;
}

async function findUnbooked(
  database: Database,
  connection: TradingConnection,
  session: BrokerReading,
): Promise<Violation[]> {
  const executions = valueOf(
    await session.executions(connection.accountId, await verifiedSince(database, connection.id)),
  );
  const known = await knownExecutions(
    database,
    connection.accountId,
    executions.map(({ executionId }) => executionId),
  );
  return executions
    .filter(({ executionId }) => !known.has(executionId))
    .map(({ executionId, symbol, side, quantity, price }) => ({
      account_id: connection.accountId,
      execution_id: executionId,
      symbol,
      side,
      quantity: quantityText(quantity),
      price,
    }));
}

/** Only instruments that a deployment has traded in the account: the person's other holdings are not ours to judge. */
async function findUnequalPositions(
  database: Database,
  connection: TradingConnection,
  session: BrokerReading,
): Promise<Violation[]> {
  const account = connection.accountId;
  const rows = await readAccountBooks(database, account);
  const positions = await session.positions(account);
  const held = new Map(valueOf(positions).map(({ symbol, quantity }) => [symbol as string | null, quantity]));
  const unread = positions.outcome === 'ok' ? positions.unread : [];
  return rows.flatMap(({ symbol, ours, external, awaited }) => {
    if (unread.some((row) => mayBeOf(row, symbol, held))) return [];
    const broker = held.get(symbol) ?? 0;
    if (withoutAwaited(broker - ours - external, awaited) === 0) return [];
    return [
      { account_id: account, symbol, ours: ours / 1e8, external: external / 1e8, broker: broker / 1e8 },
    ];
  });
}

/** From the broker's own list and positions, with our rows for what it does not show. */
async function findClosingTooMuch(
  database: Database,
  { accountId: account }: TradingConnection,
  session: BrokerReading,
): Promise<Violation[]> {
  const listed = valueOf(await session.orders(account));
  const answer = await session.positions(account);
  const held = new Map(valueOf(answer).map(({ symbol, quantity }) => [symbol as string | null, quantity]));
  const unread = answer.outcome === 'ok' ? answer.unread : [];
  const ids = listed.flatMap(({ clientOrderId }) => clientOrderId ?? []);
  const shown = listed.map(({ status, ...order }) => ({ ...order, isWorking: status === 'working' }));
  const violations: Violation[] = [];
  for (const group of closingAtBroker(await listClosingOrders(database, account, ids), shown)) {
    const { symbol, side, closing, orders } = group;
    if (unread.some((row) => mayBeOf(row, symbol, held))) continue;
    const net = held.get(symbol) ?? 0;
    const against = await heldAgainst(database, { account, symbol, side });
    const shortfall = await readShortfall(database, account, symbol);
    if (closingExcess(group, { net, against, shortfall }) <= 0) continue;
    violations.push({ account_id: account, symbol, side, closing: closing / 1e8, held: net / 1e8, orders });
  }
  return violations;
}

/** Whether a position that cannot be read may be of the instrument. */
function mayBeOf({ instrument }: UnreadRow, symbol: Symbol, held: ReadonlyMap<string | null, Quantity>) {
  return instrument.type === 'listed'
    ? instrument.symbol === symbol
    : instrument.type === 'unread' && !held.has(symbol);
}

/**
 * What moved since the newest statement, or is under way, is judged with the next one: the trader compares cash once after
 * each session.
 */
async function findUnexplainedCash(
  database: Database,
  { accountId }: TradingConnection,
  session: BrokerReading,
): Promise<Violation[]> {
  const opening = await findOpening(database, accountId);
  if (opening === null) return [];
  const { cash } = valueOf(await session.cash(accountId));
  const netted = await listNetHistories(database, accountId);
  const moved = await sumMovedCash(database, accountId, netted);
  const statements = await sumStatementsBefore(database, accountId, DAY_AFTER_ALL);
  if (statements === null || hasMovedSince(moved, statements.lines)) return [];
  const conversion = conversionOf(await listForeignResults(database, accountId, netted));
  const unexplained = unexplainedCash({ opening: opening.cash, moved, cash, conversionMax: conversion.max });
  const asked = (await findCashBreak(database, accountId))?.unexplained ?? null;
  if (
    (await findPendingSince(database, accountId)) !== null ||
    ratesOpenSince(conversion, unexplained) !== null ||
    Math.abs(unexplained) <= nettingDoubt(netted).max ||
    Math.abs(unexplained) <= CENT ||
    asked === unexplained
  )
    return [];
  return [{ account_id: accountId, unexplained_micro: unexplained, asked_micro: asked }];
}

function valueOf<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}

/** Prefix of our client order ids, see engine/order/client-order-id.ts. */
const OUR_PREFIX = 'BW';
const CENT = 10_000;
const DAY_AFTER_ALL = '9999-12-31' as IsoDate;
