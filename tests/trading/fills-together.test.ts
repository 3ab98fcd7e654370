// Fills of many accounts, and several of one, are booked in one transaction: as if each were booked alone, and none fails for another.
import { beforeEach, describe, expect, test } from 'vitest';
import type { BrokerExecution } from '#ports/broker.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { markSent, NOW, type PlacedOrder, tradingFloor } from '#tests/support/trading-floor.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import { bookNews } from '#trader/reconciliation/book-news.ts';
import { reconcile } from '#trader/reconciliation/reconcile-orders.ts';
import type { DeploymentId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';

const ACCOUNTS = 6;

type Client = {
  readonly person: TradingPerson;
  readonly id: DeploymentId;
  readonly placed: PlacedOrder;
  readonly active: ReturnType<Awaited<ReturnType<typeof tradingFloor>>['connect']>;
};

describe('fills of many accounts at once', async () => {
  const records = await testDatabase();
  const { pool, owner } = records;
  const floor = await tradingFloor(records);
  let round = 0;
  let clients: Client[];
  beforeEach(async () => {
    floor.problems.length = 0;
    round += 1;
    clients = [];
    for (let n = 0; n < ACCOUNTS; n++) {
      const person = await floor.person(`R${round}U${n}`);
      const id = await floor.deploy(person);
      const [placed] = (await floor.order(person, [id])) as [PlacedOrder];
      clients.push({ person, id, placed, active: floor.connect(person) });
    }
    await markSent(
      records,
      clients.map(({ placed }) => placed),
    );
  });

  /** The order in so many parts, at prices of their own. */
  const parts = ({ person, placed }: Client, count: number): BrokerExecution[] => {
    const each = Math.floor(placed.order.quantity / count);
    return Array.from({ length: count }, (_, n) => ({
      executionId: `${person.account}-e${n}` as ExecutionId,
      clientOrderId: placed.order.clientOrderId,
      brokerOrderId: `B-${person.account}`,
      symbol: 'AAA' as Symbol,
      brokerInstrumentId: '1',
      side: 'buy',
      quantity: (n === count - 1 ? placed.order.quantity - each * n : each) as Quantity,
      price: 100 - n * 0.37,
      commission: toMicro(1),
      at: (NOW + n) as typeof NOW,
    }));
  };
  const book = (count = 1) =>
    Promise.all(clients.map((client) => bookNews(floor.context, client.active, parts(client, count))));
  const booked = async () => {
    const { rows } = await pool.query<{ account: string; fills: number }>(
      `select c.account_id as account, count(*)::int as fills from fills f join deployments d on d.id = f.deployment_id
         join broker_connections c on c.id = d.broker_connection_id
       where d.id = any($1) group by 1 order by 1`,
      [clients.map(({ id }) => id)],
    );
    return rows.map(({ account, fills }) => `${account.split('U').at(-1)}:${fills}`);
  };
  const each = (fills: number, without: readonly number[] = []) =>
    clients.flatMap((_, n) => (without.includes(n) ? [] : [`${n}:${fills}`]));
  /** All that a deployment's books say, without what names it. */
  const booksOf = async (id: DeploymentId) => {
    const read = async (query: string) => (await pool.query(query, [id])).rows;
    return {
      deployment: await read(
        'select status, cash_micro, realized_micro, equity_micro, peak_equity_micro, marked_at from deployments where id = $1',
      ),
      order: await read(
        `select status, reason_code, filled_quantity, filled_value_micro, realized_micro, ended_at from orders where deployment_id = $1`,
      ),
      fills: await read(
        `select quantity, price, commission_micro, realized_micro, executed_at from fills where deployment_id = $1 order by booking_place`,
      ),
      positions: await read(
        `select symbol, quantity, cost_micro, mark_price, current_value_micro, total_cost_micro, unrealized_micro, notional_micro
         from positions where deployment_id = $1`,
      ),
      ledger: await read(
        `select t.kind, case t.kind when 'fill' then split_part(t.cause, '-', 2) end as part, e.ledger_account, e.amount_micro from ledger_entries e
         join ledger_transactions t on t.id = e.transaction_id where t.deployment_id = $1 order by e.id`,
      ),
      trips: await read(
        `select number, side, opened_at, closed_at, quantity, entry_price, commission_micro, pnl_micro from round_trips where deployment_id = $1`,
      ),
      marks: await read(
        'select date, cash_micro, positions_micro, equity_micro, held from equity_marks where deployment_id = $1',
      ),
      notices: await read(
        `select kind, facts - 'deployment' as facts from notifications where deployment_id = $1 order by split_part(cause, '-', 2)`,
      ),
    };
  };

  test('are booked in few transactions, each once, however often they are reported', async () => {
    await owner.query(
      `create or replace function count_fill() returns trigger language plpgsql as $$ begin
         insert into booked_in values (pg_current_xact_id()::text); return new; end $$;
       create table if not exists booked_in (transaction text); grant insert on booked_in to public;
       create or replace trigger counted after insert on fills for each row execute function count_fill()`,
    );
    await book(3);
    await book(3);
    const { rows } = await owner.query(
      `select count(distinct transaction)::int as transactions, count(*)::int as fills from booked_in`,
    );
    await owner.query('drop trigger counted on fills');
    expect(rows[0].fills).toBe(ACCOUNTS * 3);
    expect(rows[0].transactions).toBeLessThan(ACCOUNTS);
    expect(await booked()).toEqual(each(3));
    expect(floor.problems).toEqual([]);
  });

  test('leave the books as if each of them had been booked alone', async () => {
    const [together, alone] = clients as [Client, Client];
    await bookNews(floor.context, together.active, parts(together, 4));
    for (const one of parts(alone, 4)) await bookNews(floor.context, alone.active, [one]);
    const books = await booksOf(together.id);
    expect(books.fills).toHaveLength(4);
    expect(books.ledger.filter(({ kind }) => kind === 'fill').map(({ part }) => part)).toEqual(
      books.ledger
        .filter(({ kind }) => kind === 'fill')
        .map(({ part }) => part)
        .toSorted(),
    );
    expect(books).toEqual(await booksOf(alone.id));
  });

  test('one that cannot be written stays, and its neighbours and the other parts of its order are booked', async () => {
    const { person } = clients[3]!;
    await owner.query(
      `create or replace function refuse_fill() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
       create trigger refused before insert on fills for each row
         when (new.execution_id = '${person.account}-e1') execute function refuse_fill()`,
    );
    await book(3);
    await owner.query('drop trigger refused on fills');
    expect(await booked()).toEqual(each(3).with(3, '3:2'));
    expect(floor.problems).toEqual(['not this one']);
    const { rows: kept } = await pool.query(
      `select execution_id as id from broker_inbox where account_id = $1 and closed_at is null`,
      [person.account],
    );
    expect(kept).toEqual([{ id: `${person.account}-e1` }]);
    await book(3);
    expect(await booked()).toEqual(each(3));
  });

  test('one that somebody else has locked is not waited for, and is booked once it is let go', async () => {
    const other = await owner.connect();
    await other.query('begin');
    await other.query('select from deployments where id = $1 for update', [clients[4]!.id]);
    const booking = book();
    await expect.poll(booked).toEqual(each(1, [4]));
    await other.query('rollback');
    other.release();
    await booking;
    expect(await booked()).toEqual(each(1));
    expect(floor.problems).toEqual([]);
  });

  test('what fills more than was ordered is held, and the parts before it are booked', async () => {
    const [first, ...others] = clients as [Client, ...Client[]];
    const whole = parts(first, 2);
    const beyond = {
      ...whole[0]!,
      executionId: `${first.person.account}-e9` as ExecutionId,
      at: (NOW + 9) as typeof NOW,
    };
    await Promise.all([
      bookNews(floor.context, first.active, [...whole, beyond]),
      ...others.map((client) => bookNews(floor.context, client.active, parts(client, 1))),
    ]);
    expect(await booked()).toEqual(each(1).with(0, '0:2'));
    floor.reported.executions = [...whole, beyond];
    await reconcile(floor.context, first.active);
    const { rows } = await pool.query(
      'select execution_id as id, hold_code as hold, closed_at is null as is_open from broker_inbox where account_id = $1 order by 1',
      [first.person.account],
    );
    expect(rows.map(({ hold, is_open: isOpen }) => [hold, isOpen])).toEqual([
      [null, false],
      [null, false],
      ['overfill', true],
    ]);
    expect(await booked()).toEqual(each(1).with(0, '0:2'));
  });

  test('of two connections of one account that report the same each books its own', async () => {
    const account = `R${round}shared`;
    const pair: Client[] = [];
    for (let n = 0; n < 2; n++) {
      const person = await floor.person(account);
      const id = await floor.deploy(person);
      const [placed] = (await floor.order(person, [id])) as [PlacedOrder];
      pair.push({ person, id, placed, active: floor.connect(person) });
    }
    await markSent(
      records,
      pair.map(({ placed }) => placed),
    );
    clients = pair;
    const reported = pair.map((client, n) => ({
      ...parts(client, 1)[0]!,
      executionId: `${account}-${n}` as ExecutionId,
      brokerOrderId: `B-${account}-${n}`,
      quantity: quantity(client.placed.order.quantity),
    }));
    await Promise.all(pair.map(({ active }) => bookNews(floor.context, active, reported)));
    expect(
      (await pool.query('select execution_id as id from fills where account_id = $1 order by 1', [account]))
        .rows,
    ).toEqual(reported.map(({ executionId: id }) => ({ id })));
    expect(floor.problems).toEqual([]);
  });
});
