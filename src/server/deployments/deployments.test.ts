import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cashOf, reportCash, testApp } from '../../../tests/support/test-app.ts';
import { answersOf, readyPerson, signedInPerson } from '../../../tests/support/test-person.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';
import { tradeOnce } from '../../../tests/support/test-trading.ts';

const app = await testApp();
const { request, world, records } = app;
const strategy = await publishedStrategy(app);

type Person = Awaited<ReturnType<typeof readyPerson>>;

const order = (person: Person, change: object = {}) => ({
  strategy,
  broker_connection: person.connectionId,
  investment_amount: 10_000,
  stop_loss_percentage: 10,
  max_allocation_per_trade: 20,
  freeze_on_drawdown: 25,
  ...change,
});
const deploy = (person: Person, change: object = {}, headers: Record<string, string> = {}) =>
  request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: order(person, change),
    headers,
  });
const at = (id: string, end = '') => `/api/deployments/${id}/${end}`;

/** Each test has its own account, so that cash claimed in one is not missing in another. */
async function investor(): Promise<Person> {
  world.accountId = `DU${randomUUID().slice(0, 7)}`;
  return readyPerson(app);
}

test('a user with every gate open deploys; the deployment waits for the trader with its cash booked', async () => {
  const person = await investor();
  const { status, body } = await deploy(person);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    strategy,
    status: 'pending',
    requested_status: null,
    investment_amount: 10_000,
    cash_balance: 10_000,
    equity: 10_000,
    total_pnl: 0,
    open_positions: 0,
    win_rate: null,
    deployed_at: '2026-01-05T15:00:00.000Z',
  });
  const { rows } = await records.pool.query(
    'select ledger_account, amount_micro from ledger_entries where deployment_id = $1 order by 1',
    [body.id],
  );
  expect(rows).toEqual([
    { ledger_account: 'capital', amount_micro: '-10000000000' },
    { ledger_account: 'cash', amount_micro: '10000000000' },
  ]);
  expect((await request({ url: '/api/deployments/', token: person.token })).body).toEqual([body]);
  expect((await request({ url: '/api/auth/me/', token: person.token })).body.deployed_strategies).toEqual([
    body.id,
  ]);
  const older = {
    method: 'POST',
    url: '/api/strategies/deploy/',
    token: person.token,
    body: order(person),
  } as const;
  expect((await request(older)).status).toBe(201);
});

test.each([
  [{ investment_amount: 4_999.99 }, 422, 'below_minimum', 'investment_amount'],
  [{ investment_amount: 10_000.001 }, 422, 'out_of_range', 'investment_amount'],
  [{ investment_amount: '10000' }, 400, 'invalid_field', 'investment_amount'],
  [{ investment_amount: 1_000_001 }, 422, 'insufficient_cash', 'investment_amount'],
  [{ stop_loss_percentage: 4 }, 422, 'out_of_range', 'stop_loss_percentage'],
  [{ max_allocation_per_trade: 51 }, 422, 'out_of_range', 'max_allocation_per_trade'],
  [{ freeze_on_drawdown: 0 }, 422, 'out_of_range', 'freeze_on_drawdown'],
  [{ freeze_on_drawdown: undefined }, 400, 'invalid_field', 'freeze_on_drawdown'],
  [{ strategy: randomUUID() }, 404, 'not_found', 'strategy'],
  [{ strategy: 'new' }, 404, 'not_found', 'strategy'],
  [{ broker_connection: randomUUID() }, 404, 'not_found', 'broker_connection'],
])('a deployment with %j is refused with %i %s and names the field', async (change, status, code, field) => {
  const person = await investor();
  expect(await deploy(person, change)).toMatchObject({ status, body: { code, field } });
  expect((await request({ url: '/api/deployments/', token: person.token })).body).toEqual([]);
});

test('each closed gate refuses with its own code', async () => {
  const person = await investor();
  const risky = await publishedStrategy(app, { riskScore: 4 });
  const retired = await publishedStrategy(app, { status: 'retired' });
  const futures = await publishedStrategy(app, { kind: 'futures' });
  const set = (sql: string) => records.pool.query(sql, [person.id]);
  await request({
    method: 'POST',
    url: '/api/risk-assessment/',
    token: person.token,
    body: { questionnaire_responses: answersOf(1) },
  });
  expect(await deploy(person, { strategy: risky })).toMatchObject({
    status: 422,
    body: {
      code: 'unsuitable',
      field: 'strategy',
      message: expect.stringContaining('above your own score of 3'),
    },
  });
  expect((await deploy(person, { strategy: retired })).body.code).toBe('strategy_unavailable');
  expect((await deploy(person, { strategy: futures })).body.code).toBe('market_unsupported');
  await set(`update broker_connections set status = 'revoked' where user_id = $1`);
  expect((await deploy(person)).body).toMatchObject({
    code: 'connection_inactive',
    field: 'broker_connection',
  });
  await set(`update agreements set version = 'older' where user_id = $1`);
  expect((await deploy(person)).body.code).toBe('agreement_unsigned');
  await set(`update users set country = null where id = $1`);
  expect((await deploy(person)).body).toMatchObject({ code: 'not_eligible', field: 'country' });
  await set(`delete from risk_profiles where user_id = $1`);
  const last = await deploy(person);
  expect(last.body.code).toBe('risk_profile_missing');
  expect(last.body.details.gates.map(({ code }: { code: string }) => code)).toEqual([
    'risk_profile_missing',
    'not_eligible',
    'agreement_unsigned',
    'connection_inactive',
  ]);
});

test("another user's connection gets the same answer as an absent one", async () => {
  const [person, other] = [await investor(), await investor()];
  const foreign = await deploy(person, { broker_connection: other.connectionId });
  const absent = await deploy(person, { broker_connection: randomUUID() });
  expect(foreign).toMatchObject({ status: 404, body: absent.body });
});

test('cash claimed by one deployment is not available to another, even concurrently', async () => {
  const person = await investor();
  await reportCash(app, cashOf(25_000));
  const answers = await Promise.all([1, 2, 3, 4].map(() => deploy(person)));
  await reportCash(app, cashOf(1_000_000));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.body).toMatchObject({
    code: 'insufficient_cash',
    message: expect.stringContaining('$5,000'),
  });
});

test('a broker that does not report cash keeps nobody waiting: the deployment waits for the check instead', async () => {
  const person = await investor();
  await reportCash(app, { outcome: 'failed', code: 'unreachable', reason: 'told to be' });
  const answer = await deploy(person);
  await reportCash(app, cashOf(1_000_000));
  expect(answer).toMatchObject({ status: 201, body: { status: 'pending' } });
  expect(await awaitsCash(answer.body.id)).toBe(true);
  expect(await awaitsCash((await deploy(person)).body.id)).toBe(false);
});

test('cash that a deployment claims is taken off the last reading at once', async () => {
  const person = await investor();
  await reportCash(app, cashOf(25_000));
  expect((await deploy(person)).status).toBe(201);
  // The broker is silent from now on: only the reading from before is known.
  world.cash = { outcome: 'failed', code: 'unreachable', reason: 'told to be' };
  expect((await deploy(person)).status).toBe(201);
  const third = await deploy(person);
  await reportCash(app, cashOf(1_000_000));
  expect(third).toMatchObject({ status: 422, body: { code: 'insufficient_cash' } });
});

async function awaitsCash(id: string): Promise<boolean> {
  const { rows } = await records.pool.query('select awaits_cash from deployments where id = $1', [id]);
  return rows[0].awaits_cash;
}

test('an Idempotency-Key turns many clicks into one deployment', async () => {
  const person = await investor();
  const key = { 'idempotency-key': randomUUID() };
  const presses = await Promise.all([1, 2, 3, 4, 5].map(() => deploy(person, {}, key)));
  const made = presses.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  expect(presses.filter(({ status }) => status === 409).length).toBe(5 - made.length);
  const again = await deploy(person, {}, key);
  expect(again).toMatchObject({ status: 201, body: made[0]?.body });
  expect(await deploy(person, { investment_amount: 6_000 }, key)).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  });
  expect((await request({ url: '/api/deployments/', token: person.token })).body).toHaveLength(1);
});

test('a process that dies between the work and its answer does the work once', async () => {
  const person = await investor();
  const key = { 'idempotency-key': randomUUID() };
  const first = await deploy(person, {}, key);
  await records.pool.query(
    `update idempotency_keys set status = null, response = null, created_at = now() - interval '1 hour'
     where user_id = $1`,
    [person.id],
  );
  expect(await deploy(person, {}, key)).toMatchObject({ status: 201, body: { id: first.body.id } });
  expect((await request({ url: '/api/deployments/', token: person.token })).body).toHaveLength(1);
});

test('every figure of a trading deployment agrees with the others to the cent', async () => {
  const person = await investor();
  const { id } = (await deploy(person)).body;
  await tradeOnce(app, id);
  const read = async (end: string) => (await request({ url: at(id, end), token: person.token })).body;
  const [detail, positions, trades, performance] = await Promise.all(
    ['', 'position_summary/', 'trades/', 'performance?timeframe=ALL'].map(read),
  );
  expect(detail).toMatchObject({
    status: 'active',
    equity: 10_318,
    cash_balance: 7_798,
    position_value: 2_520,
    unrealized_pnl: 120,
    total_pnl: 198,
    total_trades: 2,
    // Six of the ten are still held: nothing has closed.
    closed_trades: 0,
    win_rate: null,
    open_positions: 1,
    days_active: 3,
    as_of: '2026-01-08T15:00:00.000Z',
  });
  expect(detail.cash_balance + positions[0].current_value).toBe(detail.equity);
  expect(detail.investment_amount + detail.total_pnl + positions[0].unrealized_pnl).toBe(detail.equity);
  expect(positions).toEqual(detail.positions);
  expect(positions[0]).toMatchObject({
    ticker: 'SPY',
    position_type: 'long',
    quantity: 6,
    entry_price: 400,
    current_price: 420,
    total_cost: 2_400,
    unrealized_pnl_percentage: 5,
    strategy_name: 'Calm Trend',
  });
  expect(trades).toMatchObject([
    {
      trade_type: 'sell',
      quantity: 4,
      price: 450,
      total_amount: 1_800,
      realized_pnl: 200,
      status: 'executed',
    },
    { trade_type: 'buy', quantity: 10, requested_quantity: 10, price: 400, commission: 1, realized_pnl: 0 },
  ]);
  expect(performance).toEqual({
    labels: ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'],
    benchmark_name: 'S&P 500',
    data: [10_000, 10_009, 10_408, 10_318],
    benchmark: [10_000, 10_100, 10_200, 10_200],
    as_of: '2026-01-08T15:00:00.000Z',
  });
  const week = await read('performance?timeframe=1D');
  expect(week.labels).toEqual(['2026-01-07', '2026-01-08']);
  const me = (await request({ url: '/api/auth/me/', token: person.token })).body;
  expect(me.performance).toEqual({
    labels: performance.labels,
    data: performance.data,
    benchmark: performance.benchmark,
  });
});

test('pause and resume write the command and return the actual state', async () => {
  const person = await investor();
  const { id } = (await deploy(person)).body;
  const press = (verb: string) => request({ method: 'POST', url: at(id, `${verb}/`), token: person.token });
  const become = (status: string) =>
    records.pool.query(
      'update deployments set status = $2, requested_status = null, revision = revision + 1 where id = $1',
      [id, status],
    );
  expect(await press('pause')).toMatchObject({ status: 409, body: { code: 'illegal_move' } });
  await become('active');
  expect((await press('pause')).body).toMatchObject({ status: 'active', requested_status: 'paused' });
  expect((await press('resume')).body).toMatchObject({ status: 'active', requested_status: null });
  await become('paused');
  expect((await press('resume')).body).toMatchObject({ status: 'paused', requested_status: 'active' });
  await become('paused');
  await records.pool.query(`update risk_profiles set risk_score = 2 where user_id = $1`, [person.id]);
  expect(await press('resume')).toMatchObject({ status: 422, body: { code: 'unsuitable' } });
  await become('frozen');
  expect(await press('resume')).toMatchObject({ status: 422, body: { code: 'unsuitable' } });
  await records.pool.query(`update risk_profiles set risk_score = 5 where user_id = $1`, [person.id]);
  expect((await press('resume')).body).toMatchObject({ status: 'frozen', requested_status: 'active' });
  expect(await press('pause')).toMatchObject({ status: 409, body: { code: 'illegal_move' } });
  expect((await press('stop')).body).toMatchObject({ status: 'frozen', requested_status: 'stopped' });
  await become('stopped');
  expect((await press('stop')).status).toBe(409);
});

test('each setting enforces its range, and an unchanged stored value is not refused', async () => {
  const person = await investor();
  const { id } = (await deploy(person, { max_allocation_per_trade: 50 })).body;
  const change = (body: object, end = 'settings/') =>
    request({ method: 'PATCH', url: at(id, end), token: person.token, body });
  expect(await change({ max_allocation_per_trade: 50, freeze_on_drawdown: 0 })).toMatchObject({
    status: 200,
    body: { max_allocation_per_trade: 50, freeze_on_drawdown: 0, stop_loss_percentage: 10 },
  });
  expect(await change({ max_allocation_per_trade: 26 })).toMatchObject({
    status: 422,
    body: { code: 'out_of_range', field: 'max_allocation_per_trade' },
  });
  expect((await change({ stop_loss_percentage: 7.5 }, '')).body).toMatchObject({ stop_loss_percentage: 7.5 });
});

test('only a deployment that has not begun can be withdrawn', async () => {
  const person = await investor();
  const { id } = (await deploy(person)).body;
  const remove = () => request({ method: 'DELETE', url: at(id), token: person.token });
  expect((await remove()).status).toBe(204);
  expect((await request({ url: at(id), token: person.token })).body.requested_status).toBe('stopped');
  await tradeOnce(app, id);
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'illegal_move' } });
});

test('a connection that a running deployment uses cannot be removed', async () => {
  const person = await investor();
  await deploy(person);
  const answer = await request({
    method: 'DELETE',
    url: `/api/broker-connections/${person.connectionId}/`,
    token: person.token,
  });
  expect(answer).toMatchObject({ status: 409, body: { code: 'in_use' } });
});

test('a poll sees each change at once, and never before its commit', async () => {
  const person = await investor();
  const { id } = (await deploy(person)).body;
  const read = async () => (await request({ url: at(id), token: person.token })).body.cash_balance;
  for (let cash = 1; cash <= 20; cash++) {
    await records.pool.query(
      'update deployments set cash_micro = $2, revision = revision + 1 where id = $1',
      [id, cash * 1e6],
    );
    expect(await Promise.all([read(), read(), read()])).toEqual([cash, cash, cash]);
  }
});

test("another user's deployment gets the same answer as an absent one in every call", async () => {
  const person = await investor();
  const { id } = (await deploy(person)).body;
  const { token } = await signedInPerson(app);
  const calls = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', 'pause/'],
    ['POST', 'resume/'],
    ['POST', 'stop/'],
    ['PATCH', 'settings/'],
    ['GET', 'performance'],
    ['GET', 'position_summary/'],
    ['GET', 'trades/'],
    ['GET', 'decisions/'],
    ['GET', 'decisions/1/'],
    ['GET', 'decisions/1/inputs/'],
    ['GET', 'decisions/1/bars/'],
    ['GET', 'next-decision/'],
  ] as const;
  for (const [method, end] of calls) {
    const body = method === 'PATCH' ? { stop_loss_percentage: 8 } : undefined;
    for (const one of [id, randomUUID(), 'no-id']) {
      const answer = await request({ method, url: at(one, end), token, body });
      expect(answer, `${method} ${end} of ${one}`).toMatchObject({
        status: 404,
        body: { code: 'not_found', message: 'Not found' },
      });
    }
  }
  expect((await request({ url: at(id), token: person.token })).body.stop_loss_percentage).toBe(10);
});
