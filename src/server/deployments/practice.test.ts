import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { saveInstruments } from '#records/market/instruments.ts';
import { PRACTICE_MAX } from '#rules/deployments/practice.ts';
import { equityInstrument } from '../../../tests/support/engine/random-market.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { readyPerson, type TestPerson } from '../../../tests/support/test-person.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';

const app = await testApp();
const { request, records, world } = app;
const strategy = await publishedStrategy(app);

const LIMITS = { stop_loss_percentage: 10, max_allocation_per_trade: 20, freeze_on_drawdown: 25 };
const practise = (person: TestPerson, headers: Record<string, string> = {}) =>
  request({
    method: 'POST',
    url: '/api/practice-deployments/',
    token: person.token,
    body: { strategy, investment_amount: 10_000, ...LIMITS },
    headers,
  });
const promote = (person: TestPerson, id: string, broker_connection: string, practice: 'shadow' | 'end') =>
  request({
    method: 'POST',
    url: `/api/deployments/${id}/promote/`,
    token: person.token,
    body: { broker_connection, practice },
  });
const read = async (person: TestPerson, id: string) =>
  (await request({ method: 'GET', url: `/api/deployments/${id}/`, token: person.token })).body;

async function investor() {
  world.accountId = `DU${randomUUID().slice(0, 7)}`;
  return readyPerson(app);
}

test('a person practises without a broker, a plan or a signature; the money is in no total and no list of accounts', async () => {
  const person = await investor();
  await records.pool.query('delete from agreements where user_id = $1', [person.id]);
  const { status, body } = await practise(person);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    mode: 'practice',
    status: 'pending',
    equity: 10_000,
    shadow_of: null,
    shadow: null,
  });
  const me = (await request({ method: 'GET', url: '/api/auth/me/', token: person.token })).body;
  expect(me.performance.labels).toEqual([]);
  expect(me.broker_connections.map(({ id }: { id: string }) => id)).toEqual([person.connectionId]);
  const { body: brokers } = await request({ method: 'GET', url: '/api/brokers/', token: person.token });
  expect(JSON.stringify(brokers)).not.toContain('"practice"');
});

test('each practice deployment has an account of its own that holds its amount, and a repeat opens no second', async () => {
  const person = await investor();
  const headers = { 'idempotency-key': randomUUID() };
  const [first, again] = [await practise(person, headers), await practise(person, headers)];
  expect(again.body.id).toBe(first.body.id);
  const { rows } = await records.pool.query(
    `select c.mode, c.is_paper, a.cash_micro from deployments d join broker_connections c on c.id = d.broker_connection_id
     join practice_accounts a on a.account_id = c.account_id where d.user_id = $1`,
    [person.id],
  );
  expect(rows).toEqual([{ mode: 'practice', is_paper: true, cash_micro: '10000000000' }]);
});

test('the database refuses a practice deployment at a broker, and a real one at the practice venue', async () => {
  const person = await investor();
  const { body } = await practise(person);
  const move = (connection: string, mode: string) =>
    records.pool.query('update deployments set broker_connection_id = $2, mode = $3 where id = $1', [
      body.id,
      connection,
      mode,
    ]);
  await expect(move(person.connectionId, 'practice')).rejects.toThrow(
    'deployments_broker_connection_id_mode_fkey',
  );
  await expect(move(body.broker_connection, 'real')).rejects.toThrow(
    'deployments_broker_connection_id_mode_fkey',
  );
  const relabel = (mode: string, id: string) =>
    records.pool.query('update broker_connections set mode = $1 where id = $2', [mode, id]);
  await expect(relabel('practice', person.connectionId)).rejects.toThrow('_mode_fkey');
  await expect(relabel('real', body.broker_connection)).rejects.toThrow('_mode_fkey');
});

test('nobody deploys real money over a practice account', async () => {
  const person = await investor();
  const { body } = await practise(person);
  const answer = await request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: { strategy, investment_amount: 10_000, broker_connection: body.broker_connection, ...LIMITS },
  });
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

test('of requests at the same time no more are taken than may run', async () => {
  const person = await investor();
  const answers = await Promise.all(Array.from({ length: PRACTICE_MAX + 3 }, () => practise(person)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(PRACTICE_MAX);
});

test('a promotion makes a real deployment of the same terms, and practice goes on as its shadow', async () => {
  const person = await investor();
  const practice = (await practise(person)).body;
  const { status, body: real } = await promote(person, practice.id, person.connectionId, 'shadow');
  expect(status).toBe(201);
  expect(real).toMatchObject({ strategy, investment_amount: 10_000, shadow: practice.id, ...LIMITS });
  expect(real.mode).not.toBe('practice');
  expect(await read(person, practice.id)).toMatchObject({
    mode: 'practice',
    shadow_of: real.id,
    requested_status: null,
  });
  const again = await promote(person, practice.id, person.connectionId, 'shadow');
  expect([again.status, again.body.code]).toEqual([409, 'illegal_move']);
});

test('a promotion that ends practice stops it, and one that is refused changes nothing', async () => {
  const person = await investor();
  const practice = (await practise(person)).body;
  await records.pool.query('delete from agreements where user_id = $1', [person.id]);
  const refused = await promote(person, practice.id, person.connectionId, 'end');
  expect([refused.status, refused.body.code]).toEqual([422, 'agreement_unsigned']);
  expect(await read(person, practice.id)).toMatchObject({ status: 'pending', requested_status: null });
  const ready = await investor();
  const other = (await practise(ready)).body;
  expect((await promote(ready, other.id, ready.connectionId, 'end')).status).toBe(201);
  expect(await read(ready, other.id)).toMatchObject({ requested_status: 'stopped', shadow_of: null });
});

test('two promotions at the same time make one real deployment', async () => {
  const person = await investor();
  const practice = (await practise(person)).body;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => promote(person, practice.id, person.connectionId, 'shadow')),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
});

test('what a shadow and the real one differ by is explained to the cent, by the id of either and to nobody else', async () => {
  const person = await investor();
  const practice: string = (await practise(person)).body.id;
  const ask = (id: string, { token } = person) =>
    request({ method: 'GET', url: `/api/deployments/${id}/shadow/`, token });
  expect((await ask(practice)).status).toBe(404);
  const real: string = (await promote(person, practice, person.connectionId, 'shadow')).body.id;
  await saveInstruments(records.database, [equityInstrument('SPY')], 'sandbox');
  // Both bought what one target asked for: practice 5 cents dearer, and without a commission.
  const target = randomUUID();
  for (const [id, price, commission] of [
    [practice, 100.05, 0],
    [real, 100, 1_000_000],
  ] as const)
    await fillOf(id, { target, price, commission });
  const expected = {
    practice,
    real,
    practice_value: 10_099.5,
    real_value: 10_099,
    difference: 0.5,
    causes: [
      { cause: 'prices', amount: -0.5 },
      { cause: 'commissions', amount: 1 },
    ],
  };
  for (const id of [practice, real]) expect((await ask(id)).body).toMatchObject(expected);
  await lateDividend(real, 2);
  expect((await ask(real)).body).toMatchObject({
    difference: -1.5,
    causes: [...expected.causes, { cause: 'financing', amount: -2 }],
  });
  expect((await ask(real, await investor())).status).toBe(404);
});

/** Of an execution that was reported after its session had ended. */
async function lateDividend(id: string, dollars: number): Promise<void> {
  await records.pool.query(
    `with posted as (
       insert into ledger_transactions (id, deployment_id, kind, cause, at)
       select gen_random_uuid(), id, 'adjustment', 'dividend:' || id || ':SPY:2026-03-09:x:1', deployed_at
       from deployments where id = $1 returning id, deployment_id)
     insert into ledger_entries (transaction_id, deployment_id, ledger_account, amount_micro)
     select p.id, p.deployment_id, e.account, e.amount
     from posted p, (values ('cash', $2::bigint), ('realized', -$2::bigint)) as e (account, amount)`,
    [id, dollars * 1_000_000],
  );
  await records.pool.query(
    `update deployments set cash_micro = cash_micro + $2::bigint, equity_micro = equity_micro + $2::bigint where id = $1`,
    [id, dollars * 1_000_000],
  );
}

/** Ten shares at a price, valued at 110, as the trader books them. */
async function fillOf(
  id: string,
  {
    target,
    price,
    commission,
  }: { readonly target: string; readonly price: number; readonly commission: number },
): Promise<void> {
  const order = randomUUID();
  await records.pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, target_id, cause, purpose, attempt, symbol,
       side, quantity, limit_price, reference_price, status, filled_quantity, decided_at, sent_at, ended_at)
     select $1, id, broker_connection_id, $1::uuid::text, $3, 'target', 'rebalance', 1, 'SPY', 'buy', 10, 101, 100, 'filled', 10,
       deployed_at, deployed_at, deployed_at from deployments where id = $2`,
    [order, id, target],
  );
  await records.pool.query(
    `insert into fills (execution_id, account_id, order_id, deployment_id, symbol, side, quantity, price, commission_micro,
       realized_micro, executed_at)
     select $1::uuid::text, 'x', $1, id, 'SPY', 'buy', 10, $3, $4, 0, deployed_at from deployments where id = $2`,
    [order, id, price, commission],
  );
  await records.pool.query(
    `insert into positions (deployment_id, symbol, quantity, cost_micro, mark_price, current_value_micro, total_cost_micro,
       unrealized_micro, notional_micro, opened_at, marked_at)
     select id, 'SPY', 10, $2::numeric * 10000000, 110, 1100000000, $2::numeric * 10000000,
       1100000000 - $2::numeric * 10000000, 1100000000, deployed_at, deployed_at from deployments where id = $1`,
    [id, price],
  );
  await records.pool.query(
    `update deployments set cash_micro = cash_micro - $2::numeric * 10000000 - $3,
       equity_micro = equity_micro + 1100000000 - $2::numeric * 10000000 - $3 where id = $1`,
    [id, price, commission],
  );
}
