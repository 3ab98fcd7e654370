// Orders of many accounts are marked as sending in one transaction: what fails or waits for one of them is its own.
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { tradingFloor } from '#tests/support/trading-floor.ts';
import { sendOrders } from '#trader/execution/send-orders.ts';

const ACCOUNTS = 6;

describe('orders of many accounts at once', async () => {
  const records = await testDatabase();
  const { pool, owner } = records;
  const floor = await tradingFloor(records);
  const join = async (account: string) => {
    const person = await floor.person(account);
    return { person, active: floor.connect(person), id: await floor.deploy(person) };
  };
  const clients: Awaited<ReturnType<typeof join>>[] = [];
  for (let n = 0; n < ACCOUNTS; n++) clients.push(await join(`U${n}`));
  beforeEach(async () => {
    await pool.query(`update orders set status = 'cancelled', ended_at = now() where status <> 'cancelled'`);
    floor.problems.length = 0;
    let given = 0;
    floor.reported.submit = (_order, mayLeave) =>
      mayLeave()
        ? { outcome: 'accepted', brokerOrderId: `B${Date.now()}-${(given += 1)}` }
        : { outcome: 'not_sent', code: 'refused', reason: 'too late' };
  });
  const order = async () => {
    for (const { person, id } of clients) await floor.order(person, [id]);
  };
  const send = () => Promise.all(clients.map(({ active }) => sendOrders(floor.context, active)));
  const working = async () => {
    const { rows } = await pool.query(
      `select c.account_id as account from orders o join broker_connections c on c.id = o.broker_connection_id
       where o.status = 'working' order by 1`,
    );
    return rows.map(({ account }) => account.split(':').at(-1));
  };

  test('are marked in few transactions, and each leaves once', async () => {
    await order();
    await owner.query(
      `create or replace function count_marks() returns trigger language plpgsql as $$ begin
         insert into marks values (pg_current_xact_id()::text, new.id); return new; end $$;
       create table if not exists marks (transaction text, id uuid); grant insert on marks to public;
       create or replace trigger counted before update on orders for each row when (new.status = 'sending') execute function count_marks()`,
    );
    await send();
    const { rows } = await owner.query(
      `select count(distinct transaction)::int as transactions, count(*)::int as orders from marks`,
    );
    await owner.query(`drop trigger counted on orders`);
    expect(rows[0].orders).toBe(ACCOUNTS);
    expect(rows[0].transactions).toBeLessThan(ACCOUNTS);
    expect(await working()).toHaveLength(ACCOUNTS);
    expect(floor.problems).toEqual([]);
  });

  test('one whose mark cannot be written stays, and its neighbours leave', async () => {
    await order();
    const { id } = clients[3]!;
    await owner.query(
      `create or replace function refuse_mark() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
       create trigger refused before update on orders for each row
         when (new.status = 'sending' and new.deployment_id = '${id}') execute function refuse_mark()`,
    );
    await send();
    await owner.query(`drop trigger refused on orders`);
    expect(await working()).toEqual(['U0', 'U1', 'U2', 'U4', 'U5']);
    expect(floor.problems).toEqual(['not this one']);
    await send();
    expect(await working()).toHaveLength(ACCOUNTS);
  });

  test('one that somebody else has locked is not waited for, and leaves once it is let go', async () => {
    await order();
    const { id } = clients[4]!;
    const other = await owner.connect();
    await other.query('begin');
    await other.query('select from deployments where id = $1 for update', [id]);
    const sending = send();
    await expect.poll(working).toEqual(['U0', 'U1', 'U2', 'U3', 'U5']);
    await other.query('rollback');
    other.release();
    await sending;
    expect(await working()).toHaveLength(ACCOUNTS);
    expect(floor.problems).toEqual([]);
  });

  test('one that is paused while it was locked does not leave', async () => {
    await order();
    const { id } = clients[4]!;
    const other = await owner.connect();
    await other.query('begin');
    await other.query(`update deployments set requested_status = 'paused' where id = $1`, [id]);
    const sending = send();
    await expect.poll(working).toEqual(['U0', 'U1', 'U2', 'U3', 'U5']);
    await other.query('commit');
    other.release();
    await sending;
    expect(await working()).toEqual(['U0', 'U1', 'U2', 'U3', 'U5']);
    await pool.query(`update deployments set requested_status = null where id = $1`, [id]);
  });
});
