import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import { ERROR_CODES } from '#contract/http/error-code.ts';
import type { DeadLetter } from '#contract/operations/dead-letter.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { readTrades } from '#records/deployments/deployment-views.ts';
import { showTrade } from '#server/deployments/history/show-trade.ts';
import { adjustmentsDesk, APPROVE } from '#tests/support/adjustments-desk.ts';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { addDeadLetter, failForGood } from '#tests/support/dead-letter.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { requestStatus, setStatus } from '#tests/support/deployment-commands.ts';
import { postDraft } from '#tests/support/post-draft.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import type { UserId } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';

// What an account's owner traded externally, from the desk's list to the books, over HTTP.
const {
  app,
  world,
  rows,
  sue,
  bob,
  stranger,
  runTicks,
  trading,
  desk,
  breakOf,
  propose,
  decide,
  choices,
  held,
} = await adjustmentsDesk();
const { market, venue } = world;
afterAll(() => world.trader.close());
const { pool } = app.records;

test('an external sale is a separate row at the desk, and two people approve removing it from a deployment', async () => {
  const { id, account } = await trading('DU98');
  market.setPrice('AAA', 108);
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  await requestStatus(pool, id, 'stopped');
  await runTicks(4);
  const listed = async () => (await desk()).missing_holdings.results.filter((one) => one.account === account);
  const [found] = await listed();
  const [{ email }] = await rows(
    `select u.email from users u join deployments d on d.user_id = u.id where d.id = $1`,
    id,
  );
  expect(found).toMatchObject({
    kind: 'external_trade',
    clients: [email],
    symbol: 'AAA',
    our_quantity: 5,
    external_quantity: -5,
    broker_quantity: 0,
    quantity: -5,
    price: 108,
    traded_at: expect.stringMatching(/^2026-/),
    blocks_exits: true,
    exits_waiting: 1,
    proposal: null,
  });
  expect(await breakOf(account)).toBeUndefined();
  const answers = { difference: found!.id };
  expect((await choices(`difference=${found!.id}`)).body).toMatchObject({
    deployments: [{ id, quantity: 5 }],
    booked: [],
    replaces: null,
    quantity: -5,
    price: 108,
    commission: 0,
    external_refusal: expect.stringMatching(/already booked as external/),
  });
  const body = {
    closes_as: 'adjustment',
    answers,
    deployment: id,
    quantity: -5,
    price: 108,
    reason: 'you sold them at your broker',
  };
  const refused = [
    [{ ...body, quantity: -6 }, 'quantity'],
    [{ ...body, quantity: 5 }, 'quantity'],
    [{ ...body, price: null }, 'price'],
    [{ closes_as: 'external', answers, reason: 'they are his' }, 'closes_as'],
  ] as const;
  for (const [wrong, field] of refused)
    expect(await propose(wrong)).toMatchObject({ status: 400, body: { code: 'invalid_field', field } });
  const key = { 'idempotency-key': randomUUID() };
  const { body: proposed } = await propose(body, sue.token, key);
  expect(proposed).toMatchObject({ status: 'open', quantity: -5, price: 108 });
  expect((await propose(body, sue.token, key)).body.id).toBe(proposed.id);
  expect((await propose(body, bob.token)).status).toBe(409);
  expect((await decide(proposed.id, APPROVE, sue.token)).status).toBe(403);
  expect((await decide(proposed.id, APPROVE, stranger.token)).status).toBe(404);
  await runTicks();
  expect(await held(id)).toBe(5);
  expect((await listed())[0]!.proposal).toMatchObject({ id: proposed.id, status: 'open' });
  expect((await decide(proposed.id, APPROVE)).body.status).toBe('approved');
  await runTicks(3);
  expect(await held(id)).toBe(0);
  expect(await listed()).toEqual([]);
  expect(await rows('select status from deployments where id = $1', id)).toEqual([{ status: 'stopped' }]);
  const [{ user_id: userId }] = await rows('select user_id from deployments where id = $1', id);
  const [adjustment] = (await readTrades(pool, { id, userId, limit: 10 }))
    .map(showTrade)
    .filter((trade) => trade.is_adjustment);
  expect(adjustment).toMatchObject({
    realized_pnl: 40,
    trade_notes:
      '5 AAA that you sold manually at $108 each are now booked as its own trade; $540 was added to its cash. Reason: you sold them at your broker.',
  });
  expect(await propose(body)).toMatchObject({ status: 409, body: { code: 'already_decided' } });
});

test('it cannot be proposed together with an unexplained difference, and is void once any of it is bought back', async () => {
  const { id, account } = await trading('DU99');
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  const listed = async () => (await desk()).missing_holdings.results.find((one) => one.account === account);
  const found = (await listed())!;
  const body = {
    closes_as: 'adjustment',
    answers: { difference: found.id },
    deployment: id,
    quantity: -5,
    price: 100,
    reason: 'they were sold',
  };
  // When no deployment trades any more, none has a position to give up, and the account is not read.
  await setStatus(pool, id, 'stopped');
  expect(await listed()).toBeUndefined();
  await setStatus(pool, id, 'active');
  venue.deliver(account, 'AAA', -1);
  await runTicks(3);
  expect(await propose(body)).toMatchObject({ status: 400, body: { field: 'closes_as' } });
  venue.deliver(account, 'AAA', 1);
  await runTicks(2);
  const { body: proposed } = await propose(body);
  venue.tradeExternally(account, 'AAA', 'buy', 2);
  await runTicks(3);
  expect((await listed())!).toMatchObject({ id: found.id, quantity: -3, proposal: { status: 'void' } });
  expect(await decide(proposed.id, APPROVE)).toMatchObject({
    status: 409,
    body: { message: 'The proposal is void: what it answers has changed since.' },
  });
  venue.tradeExternally(account, 'AAA', 'buy', 3);
  await runTicks(2);
  expect(await listed()).toBeUndefined();
  expect(await propose({ ...body, quantity: -3 })).toMatchObject({ status: 409 });
});

test('a shortfall after a broker’s bust stays at the desk, and no booking closes it', async () => {
  const { id, account, bought } = await trading('DU97');
  market.setPrice('AAA', 29);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  const taken = venue.revise(bought, { quantity: toQuantity(0) });
  await runTicks();
  const { body: proposed } = await propose({
    closes_as: 'adjustment',
    answers: { account, execution: taken.executionId },
    deployment: id,
    quantity: 0,
    replaces: bought.executionId,
    reason: 'the exchange took it back',
  });
  await decide(proposed.id, APPROVE);
  await runTicks(5);
  const short = (await desk()).missing_holdings.results.find((one) => one.account === account)!;
  expect(short).toMatchObject({
    kind: 'shortfall',
    our_quantity: 0,
    quantity: -40,
    price: null,
    blocks_exits: false,
    effect: expect.stringMatching(/account has a shortfall.*Nothing is on hold/),
  });
  // When no deployment trades the account any more, only the last state seen is known.
  await requestStatus(pool, id, 'stopped');
  await runTicks(3);
  expect((await desk()).missing_holdings.results.find((one) => one.id === short.id)).toMatchObject({
    effect: expect.stringMatching(/^The account had this shortfall when a deployment last traded there/),
  });
  const closing = { answers: { difference: short.id }, reason: 'it is closed' };
  for (const wrong of [
    { ...closing, closes_as: 'adjustment', deployment: id, quantity: -40, price: 100 },
    { ...closing, closes_as: 'external' },
  ])
    expect(await propose(wrong)).toMatchObject({ status: 400, body: { field: 'closes_as' } });
});

describe('failed jobs', async () => {
  const app = await testApp();
  const { dependencies, records, request, world } = app;
  const { database, pool } = records;
  await storeMarket(database);
  const sue = await signedInPerson(app);
  await giveRole(records, sue, 'support');

  async function letters(): Promise<readonly DeadLetter[]> {
    const answer = await request({ url: '/api/operations/', token: sue.token });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.dead_letters.results;
  }
  const decide = (id: string, decision: string, token = sue.token) =>
    request({
      method: 'POST',
      url: `/api/operations/dead-letters/${id}/decide/`,
      token,
      body: { decision },
    });
  const audited = async (id: string) =>
    (await pool.query('select actor, action from audit_log where subject = $1', [`dead_letter:${id}`])).rows;

  test('a permanently refused mail waits for support, and is sent when retried', async () => {
    const { email } = await signedInPerson(app);
    await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email } });
    world.mailOutcome = { outcome: 'refused', mayPass: false, reason: '550 no such mailbox' };
    await deliverMails(dependencies);
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      kind: 'mail',
      subject: 'password reset',
      client: email,
      failure: 'mail_refused',
      detail: '550 no such mailbox',
      attempts: 1,
    });
    world.mailOutcome = { outcome: 'sent' };
    expect(await deliverMails(dependencies, { later: true })).toBe(0);
    expect(await decide(letter!.id, 'retry')).toMatchObject({ status: 200, body: { decision: 'retry' } });
    expect(await letters()).toEqual([]);
    expect(await deliverMails(dependencies)).toBe(1);
    expect(world.mails.filter(({ to }) => to === email)).toHaveLength(1);
    expect(await audited(letter!.id)).toEqual([
      { actor: `staff:${sue.email}`, action: 'dead_letter.created' },
    ]);
  });

  test('a failed backtest is queued again when retried', async () => {
    const { token, email } = await signedInPerson(app);
    const strategyId = await postDraft(app, token);
    const { body: asked } = await request({
      method: 'POST',
      url: `/api/strategies/${strategyId}/backtests/`,
      token,
      body: { kind: 'backtest' },
    });
    await pool.query(`update backtest_jobs set status = 'failed', message = 'x' where id = $1`, [asked.id]);
    const lost = { value: { message: 'job heartbeat timeout' } };
    const id = await failForGood(database, 'backtests', { key: asked.id, output: lost });
    expect(await letters()).toMatchObject([
      { id, kind: 'backtest', subject: 'Mine', client: email, failure: 'worker_lost' },
    ]);
    expect((await decide(id, 'retry')).status).toBe(200);
    const shown = await request({ url: `/api/backtests/${asked.id}/`, token });
    expect(shown.body).toMatchObject({ status: 'queued', message: null });
  });

  test('a discarded job is gone, and a second decision names the first', async () => {
    const userId = sue.id as UserId;
    const id = await addDeadLetter(database, 'plan-renewals', {
      data: { userId },
      key: userId,
      output: { code: 'payment_unanswered', detail: 'no answer' },
    });
    expect(await letters()).toMatchObject([{ id, kind: 'plan_renewal', client: sue.email }]);
    expect((await decide(id, 'discard')).status).toBe(200);
    expect((await decide(id, 'discard')).status).toBe(200);
    expect(await letters()).toEqual([]);
    const second = await decide(id, 'retry');
    expect(second).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect(second.body.message).toContain(`${sue.email} discarded it`);
  });

  test('only support can see or decide them', async () => {
    const id = await addDeadLetter(database, 'plan-renewals', {
      data: { userId: sue.id as UserId },
      key: 'x',
      output: {},
    });
    const { token } = await signedInPerson(app);
    expect((await decide(id, 'discard', token)).status).toBe(404);
    expect((await letters()).map((letter) => letter.id)).toEqual([id]);
  });
});

describe('readiness', async () => {
  const app = await testApp();
  const { request } = app;

  test('the reader shows every operation and every code, without a script', async () => {
    const page = await request({ url: '/api/docs/' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const name of Object.keys(EVERY_ENDPOINT)) expect(page.text).toContain(`<details id="${name}">`);
    for (const code of Object.keys(ERROR_CODES)) expect(page.text).toContain(`<code>${code}</code>`);
    expect(page.text).not.toContain('<script');
    expect((await request({ url: '/api/docs/reader.css' })).headers['content-type']).toContain('text/css');
  });

  test('metrics count answers by their published route, and identify no one', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    await request({ url: `/api/strategies/${id}/` });
    const { status, headers, text } = await request({ url: '/api/metrics' });
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/strategies/:id/",status="404"} 1',
    );
    expect(text).toMatch(/^trader_lag_seconds NaN$/im);
    expect(text).toMatch(/^streams_open 0$/m);
    expect(text).not.toContain(id);
  });
});
