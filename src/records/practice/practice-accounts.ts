// The books of the practice venue.
import { sql } from 'kysely';
import type {
  PracticeAccount,
  PracticeChange,
  PracticeExecution,
  PracticeOrder,
} from '#engine/practice/practice-account.ts';
import type { Position } from '#engine/portfolio/portfolio.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseQuantity, quantityText } from '#units/quantity.ts';
import type { Database, Transaction } from '../postgres/database.ts';

type NewAccount = {
  readonly accountId: BrokerAccountId;
  readonly tokenHash: Buffer;
  readonly cash: Micro;
  readonly at: Instant;
};

type Decided<Result> = { readonly change: PracticeChange; readonly result: Result };

async function openAccount(
  database: Database,
  { accountId, tokenHash, cash, at }: NewAccount,
): Promise<'opened' | 'taken'> {
  const { numInsertedOrUpdatedRows: opened } = await database
    .insertInto('practice_accounts')
    .values({
      account_id: accountId,
      token_hash: tokenHash,
      opening_micro: cash,
      cash_micro: cash,
      opened_at: isoText(at),
      looked_at: isoText(at),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return opened === 1n ? 'opened' : 'taken';
}

/** Its deployment was given more practice money, or some was withdrawn. */
export async function movePracticeCash(
  trx: Transaction,
  { accountId, amount }: { readonly accountId: BrokerAccountId; readonly amount: Micro },
): Promise<void> {
  await trx
    .updateTable('practice_accounts')
    .set({ cash_micro: sql`cash_micro + ${amount}::bigint` })
    .where('account_id', '=', accountId)
    .execute();
}

export function practiceStore(database: Database) {
  return {
    open: (account: NewAccount) => openAccount(database, account),
    async findByToken(tokenHash: Buffer): Promise<BrokerAccountId | null> {
      const row = await database
        .selectFrom('practice_accounts')
        .select('account_id')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row?.account_id ?? null;
    },
    read: (accountId: BrokerAccountId) =>
      database
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((trx) => loadAccount(trx, accountId, 'unlocked')),
    change: <Result>(
      accountId: BrokerAccountId,
      orderId: string | null,
      decide: (account: PracticeAccount, known: PracticeOrder | null) => Decided<Result>,
    ): Promise<Result> =>
      database.transaction().execute(async (trx) => {
        const account = await loadAccount(trx, accountId, 'for update');
        const known = orderId === null ? null : await loadOrder(trx, accountId, orderId);
        const { change, result } = decide(account, known);
        await saveChange(trx, account, change);
        return result;
      }),
    listOrders: (accountId: BrokerAccountId, since: Instant): Promise<unknown> =>
      database
        .selectFrom('practice_orders')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(({ or, eb }) =>
          or([
            eb('status', '=', 'working'),
            eb('changed_at', '>=', sql<Date>`${isoText(since)}::timestamptz`),
          ]),
        )
        .orderBy('changed_at', 'desc')
        .orderBy('broker_order_id')
        .execute(),
    async findOrder(accountId: BrokerAccountId, orderId: string): Promise<unknown> {
      const row = await ordersOf(database, accountId)
        .where('broker_order_id', '=', orderId)
        .executeTakeFirst();
      return row ?? null;
    },
    listExecutions: (accountId: BrokerAccountId, since: Instant): Promise<unknown> =>
      database
        .selectFrom('practice_executions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('at', '>=', sql<Date>`${isoText(since)}::timestamptz`)
        .orderBy('at')
        .orderBy('execution_id')
        .execute(),
  };
}

const ordersOf = (database: Database | Transaction, accountId: BrokerAccountId) =>
  database.selectFrom('practice_orders').selectAll().where('account_id', '=', accountId);

async function loadAccount(
  trx: Transaction,
  accountId: BrokerAccountId,
  lock: 'unlocked' | 'for update',
): Promise<PracticeAccount> {
  const query = trx.selectFrom('practice_accounts').selectAll().where('account_id', '=', accountId);
  const row = await (lock === 'unlocked' ? query : query.forUpdate()).executeTakeFirstOrThrow();
  const positions = await trx
    .selectFrom('practice_positions')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('symbol')
    .execute();
  const working = await ordersOf(trx, accountId)
    .where('status', '=', 'working')
    .orderBy('submitted_at')
    .orderBy('broker_order_id')
    .execute();
  return {
    accountId,
    lookedAt: parseInstant(row.looked_at),
    portfolio: {
      cash: parseMicro(row.cash_micro),
      realized: parseMicro(row.realized_micro),
      positions: new Map(positions.map((position) => [position.symbol, positionOf(position)])),
    },
    working: working.map(orderOf),
  };
}

async function loadOrder(trx: Transaction, accountId: BrokerAccountId, orderId: string) {
  const row = await ordersOf(trx, accountId).where('broker_order_id', '=', orderId).executeTakeFirst();
  return row === undefined ? null : orderOf(row);
}

async function saveChange(trx: Transaction, before: PracticeAccount, change: PracticeChange): Promise<void> {
  const { account, orders, executions } = change;
  const { accountId, portfolio } = account;
  await trx
    .updateTable('practice_accounts')
    .set({
      cash_micro: portfolio.cash,
      realized_micro: portfolio.realized,
      looked_at: isoText(account.lookedAt),
    })
    .where('account_id', '=', accountId)
    .execute();
  for (const order of orders) await saveOrder(trx, accountId, order);
  if (executions.length > 0)
    await trx
      .insertInto('practice_executions')
      .values(executions.map((execution) => executionRow(accountId, execution)))
      .execute();
  if (portfolio.positions === before.portfolio.positions) return;
  await trx.deleteFrom('practice_positions').where('account_id', '=', accountId).execute();
  const rows = [...portfolio.positions.values()].map(({ symbol, quantity, cost }) => ({
    account_id: accountId,
    symbol,
    quantity: quantityText(quantity),
    cost_micro: cost,
  }));
  if (rows.length > 0) await trx.insertInto('practice_positions').values(rows).execute();
}

async function saveOrder(trx: Transaction, accountId: BrokerAccountId, order: PracticeOrder): Promise<void> {
  const progress = {
    filled_quantity: quantityText(order.filled),
    status: order.status,
    changed_at: isoText(order.changedAt),
  };
  await trx
    .insertInto('practice_orders')
    .values({
      account_id: accountId,
      broker_order_id: order.orderId,
      client_order_id: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      quantity: quantityText(order.quantity),
      limit_price: order.limitPrice,
      stop_price: order.stopPrice,
      submitted_at: isoText(order.submittedAt),
      expires_at: isoText(order.expiresAt),
      ...progress,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'broker_order_id']).doUpdateSet(progress))
    .execute();
}

function executionRow(accountId: BrokerAccountId, execution: PracticeExecution) {
  return {
    account_id: accountId,
    execution_id: execution.executionId,
    broker_order_id: execution.orderId,
    client_order_id: execution.clientOrderId,
    symbol: execution.symbol,
    side: execution.side,
    quantity: quantityText(execution.quantity),
    price: execution.price,
    commission_micro: execution.commission,
    at: isoText(execution.at),
  };
}

type OrderRow = Awaited<ReturnType<ReturnType<typeof ordersOf>['executeTakeFirstOrThrow']>>;

function orderOf(row: OrderRow): PracticeOrder {
  return {
    orderId: row.broker_order_id,
    clientOrderId: row.client_order_id,
    symbol: row.symbol,
    side: row.side,
    quantity: parseQuantity(row.quantity),
    filled: parseQuantity(row.filled_quantity),
    limitPrice: row.limit_price === null ? null : Number(row.limit_price),
    stopPrice: row.stop_price === null ? null : Number(row.stop_price),
    status: row.status,
    submittedAt: parseInstant(row.submitted_at),
    expiresAt: parseInstant(row.expires_at),
    changedAt: parseInstant(row.changed_at),
  };
}

function positionOf(row: {
  readonly symbol: Symbol;
  readonly quantity: string;
  readonly cost_micro: string;
}): Position {
  return {
    symbol: row.symbol,
    quantity: parseQuantity(row.quantity),
    cost: parseMicro(row.cost_micro),
  };
}
