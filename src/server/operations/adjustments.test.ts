import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { AdjustmentChoices, AdjustmentProposal } from '#contract/operations/adjustments.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { APPROVE, adjustmentsDesk } from '../../../tests/support/adjustments-desk.ts';
import { readDeployments, readTrades } from '#records/deployments/deployment-views.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';
import type { BrokerExecution } from '../../ports/broker.ts';
import { toQuantity } from '../../units/quantity.ts';
import { showTrade } from '../deployments/history/show-trade.ts';
import { shownMessages } from '../../../tests/support/shown-notices.ts';

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
/** From now on the broker reports this, and the trader reads it. */
async function revise(old: BrokerExecution, change: Partial<BrokerExecution>) {
  const execution = venue.revise(old, change);
  await runTicks();
  return execution;
}
const TAKEN_BACK = { quantity: toQuantity(0) };
const lacking = async (account: string, units: number) => {
  const { id } = await trading(account);
  venue.deliver(account, 'AAA', -units);
  await runTicks(3);
  const difference = (await desk()).differences.results.find((one) => one.account === account)!;
  return { id, answers: { difference: difference.id } };
};

const fifteenGone = (deployment: string, answers: object) => ({
  closes_as: 'adjustment',
  answers,
  deployment,
  quantity: -15,
  price: 100,
  reason: 'they are gone',
});

test('one proposes, another approves, the trader books it, and the owner reads why', async () => {
  const { id, answers } = await lacking('DU90', 15);
  const found: AdjustmentChoices = (await choices(`difference=${answers.difference}`)).body;
  expect(found).toMatchObject({
    symbol: 'AAA',
    currency: 'USD',
    deployments: [{ id, quantity: 40 }],
    booked: [{ deployment: id, quantity: 40, price: 100 }],
    replaces: null,
    quantity: -15,
    external_refusal: expect.stringMatching(/holds less/),
  });
  const body = {
    closes_as: 'adjustment',
    answers,
    deployment: id,
    quantity: -15,
    price: 100,
    reason: 'they were moved to another broker.',
  };
  const key = { 'idempotency-key': randomUUID() };
  const proposed = await propose(body, sue.token, key);
  expect(proposed).toMatchObject({
    status: 201,
    body: { status: 'open', is_own: true, proposed_by: sue.email, quantity: -15, decided_by: null },
  });
  const { id: adjustment } = proposed.body as AdjustmentProposal;
  expect((await propose(body, sue.token, key)).body.id).toBe(adjustment);
  expect(await propose({ ...body, quantity: -1 }, bob.token)).toMatchObject({
    status: 409,
    body: { code: 'already_exists' },
  });
  // Nothing happens until a second, different person approves.
  await runTicks();
  expect(await held(id)).toBe(40);
  expect(await decide(adjustment, APPROVE, sue.token)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  expect((await decide(adjustment, APPROVE, stranger.token)).status).toBe(404);
  expect((await breakOf('DU90'))!.proposal).toMatchObject({ id: adjustment, status: 'open' });
  for (let i = 0; i < 2; i++)
    expect(await decide(adjustment, APPROVE)).toMatchObject({
      status: 200,
      body: { status: 'approved', decided_by: bob.email, is_own: false },
    });
  await runTicks();
  expect(await held(id)).toBe(25);
  expect(await breakOf('DU90')).toBeUndefined();
  expect((await decide(adjustment, APPROVE)).body.status).toBe('applied');
  expect(await decide(adjustment, { decision: 'decline', reason: 'too late' })).toMatchObject({
    status: 409,
    body: { code: 'already_decided', message: 'It is already booked.' },
  });
  const [owner] = await rows('select user_id from deployments where id = $1', id);
  const said = /15 AAA removed at \$100 each.* Reason: they were moved to another broker\./;
  const messages = await shownMessages({ pool }, `user_id = $1 and cause like 'adjustment:%'`, owner.user_id);
  expect(messages).toEqual([{ message: expect.stringMatching(said) }]);
  expect(
    await rows(
      `select actor, action, details::jsonb -> 'to' ->> 'status' as status from audit_log where subject = $1 order by seq`,
      `adjustment:${adjustment}`,
    ),
  ).toEqual([
    { actor: `staff:${sue.email}`, action: 'adjustment.created', status: 'open' },
    { actor: `staff:${bob.email}`, action: 'adjustment.changed', status: 'approved' },
    { actor: 'trader', action: 'adjustment.changed', status: 'applied' },
  ]);
});

test('a revised execution replaces the first, and its owner sees that in the trade list', async () => {
  const { id, account, bought } = await trading('DU91');
  const messages = await revise(bought, { price: 101 });
  const query = `account=${account}&execution=${messages.executionId}`;
  const found: AdjustmentChoices = (await choices(query)).body;
  expect(found).toMatchObject({
    deployments: [{ id }],
    replaces: bought.executionId,
    quantity: 40,
    price: 101,
    commission: Number(bought.commission) / 1e6,
    external_refusal: null,
  });
  const { quantity, price, commission, replaces } = found;
  const answers = { account, execution: messages.executionId };
  const body = {
    closes_as: 'adjustment',
    answers,
    deployment: id,
    quantity,
    price,
    commission,
    reason: 'it was changed',
  };
  expect(await propose(body)).toMatchObject({
    status: 400,
    body: { code: 'invalid_field', field: 'replaces' },
  });
  const { body: proposed } = await propose({ ...body, replaces });
  expect(proposed).toMatchObject({ replaces: { id: bought.executionId, quantity: 40, price: 100 } });
  await decide(proposed.id, APPROVE);
  await runTicks();
  expect((await desk()).executions.results).toEqual([]);
  expect(await propose({ ...body, replaces })).toMatchObject({
    status: 409,
    body: { code: 'already_decided' },
  });
  const [{ user_id: userId }] = await rows('select user_id from deployments where id = $1', id);
  const trades = (await readTrades(pool, { id, userId, limit: 10 })).map(showTrade);
  const [adjustment] = trades.filter((trade) => trade.is_adjustment);
  expect(adjustment).toMatchObject({
    ticker: 'AAA',
    quantity: 0,
    total_amount: 40,
    realized_pnl: 0,
    commission: 0,
    status: 'executed',
    trade_notes:
      'the purchase of 40 AAA at $100 was replaced by a purchase of 40 at $101; $40 was deducted from its cash. Reason: it was changed.',
  });
  expect(trades.filter((trade) => trade.ticker === 'AAA')).toHaveLength(2);
  expect(
    (
      await rows(
        'select cost_micro::float8 / 1e6 as cost from positions where deployment_id = $1 and symbol = $2',
        id,
        'AAA',
      )
    )[0],
  ).toEqual({ cost: 4_040 });
});

test('a busted sale no longer counts as a win', async () => {
  const { id, account } = await trading('DU92');
  market.setPrice('AAA', 29);
  market.setPrice('BBB', 41);
  market.closeDay();
  await runTicks();
  market.setPrice('AAA', 130);
  market.openDay();
  await runTicks();
  const won = async () => {
    const row = (await readDeployments(pool, [id])).get(id)!;
    return { trades: row.trades, closed: row.closed, won: row.won };
  };
  const before = await won();
  const { execution: sold } = venue.executions.find(
    ({ accountId, execution }) =>
      accountId === account && execution.symbol === 'AAA' && execution.side === 'sell',
  )!;
  const messages = await revise(sold, TAKEN_BACK);
  const answers = { account, execution: messages.executionId };
  const { body: proposed } = await propose({
    closes_as: 'adjustment',
    answers,
    deployment: id,
    quantity: 0,
    replaces: sold.executionId,
    reason: 'the exchange took it back',
  });
  expect(proposed).toMatchObject({ quantity: 0, price: null });
  await decide(proposed.id, APPROVE);
  await runTicks();
  // No part of that order counts as filled any more.
  expect(await won()).toEqual({
    trades: before.trades - 1,
    closed: before.closed - 1,
    won: before.won - 1,
  });
  expect(await held(id)).toBe(40);
});

test('a purchase busted after its sale is proposed like any other, and its owner sees what is in suspense', async () => {
  const { id, account, bought } = await trading('DU97');
  market.setPrice('AAA', 29);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  expect(await held(id)).toBe(0);
  const messages = await revise(bought, TAKEN_BACK);
  const body = {
    closes_as: 'adjustment',
    answers: { account, execution: messages.executionId },
    deployment: id,
    quantity: 0,
    replaces: bought.executionId,
    reason: 'the exchange took it back',
  };
  const proposed = await propose(body);
  expect(proposed).toMatchObject({ status: 201, body: { status: 'open' } });
  await decide(proposed.body.id, APPROVE);
  await runTicks();
  expect((await desk()).executions.results).toEqual([]);
  expect(await breakOf(account)).toBeUndefined();
  const [{ user_id: userId }] = await rows('select user_id from deployments where id = $1', id);
  const [adjustment] = (await readTrades(pool, { id, userId, limit: 10 }))
    .map(showTrade)
    .filter((trade) => trade.is_adjustment);
  expect(adjustment).toMatchObject({
    total_amount: 0,
    trade_notes:
      'the purchase of 40 AAA at $100 was reversed, except for 40 that it had already sold: these keep their booked price, and the shortfall is held in a suspense account; its cash is unchanged. Reason: the exchange took it back.',
  });
});

test('shares beyond our books are put into suspense by two people, and no deployment is touched', async () => {
  const { id, answers } = await lacking('DU93', -7);
  const body = { closes_as: 'external', answers, reason: 'the owner transferred them in' };
  const { body: proposed } = await propose(body);
  expect(proposed).toMatchObject({ closes_as: 'external', deployment: null, quantity: 7 });
  expect((await decide(proposed.id, APPROVE, sue.token)).status).toBe(403);
  await decide(proposed.id, APPROVE);
  await runTicks();
  expect(await breakOf('DU93')).toBeUndefined();
  expect(await held(id)).toBe(40);
  expect(
    await rows(`select quantity::float8 as units from suspense_entries where account_id = 'DU93'`),
  ).toEqual([{ units: 7 }]);
});

test('a proposal becomes void when its difference changes, and shows this before anyone acts on it', async () => {
  const { id, answers } = await lacking('DU94', 15);
  const body = fifteenGone(id, answers);
  const { body: first } = await propose(body);
  venue.deliver('DU94', 'AAA', 5);
  await runTicks(3);
  expect((await breakOf('DU94'))!.proposal).toMatchObject({
    id: first.id,
    status: 'void',
    outcome: 'what it answers has changed since',
  });
  expect(await decide(first.id, APPROVE)).toMatchObject({
    status: 409,
    body: { code: 'already_decided', message: 'The proposal is void: what it answers has changed since.' },
  });
  expect(await propose(body)).toMatchObject({ status: 400, body: { field: 'quantity' } });
  const { body: second } = await propose({ ...body, quantity: -10 }, bob.token);
  expect(second.status).toBe('open');
  // The proposer withdraws it; an approved one can still be declined until it is booked.
  const decline = { decision: 'decline', reason: 'it comes back' };
  expect((await decide(second.id, decline)).body).toMatchObject({
    status: 'declined',
    outcome: 'it comes back',
  });
  const { body: third } = await propose({ ...body, quantity: -10 }, bob.token);
  await decide(third.id, APPROVE, sue.token);
  expect((await decide(third.id, decline)).body.status).toBe('declined');
  await runTicks();
  expect(await held(id)).toBe(40);
});

test('of two concurrent proposals, and of two concurrent decisions, one counts', async () => {
  const { id, answers } = await lacking('DU95', 15);
  const body = fifteenGone(id, answers);
  const both = await Promise.all([propose(body), propose(body, bob.token)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const { id: adjustment, proposed_by: by } = both.find(({ status }) => status === 201)!
    .body as AdjustmentProposal;
  const [owner, other] = by === sue.email ? [sue, bob] : [bob, sue];
  const answered = await Promise.all([
    decide(adjustment, APPROVE, other.token),
    decide(adjustment, { decision: 'decline', reason: 'not so' }, owner.token),
  ]);
  await runTicks();
  const [{ status }] = await rows('select status from adjustments where id = $1', adjustment);
  // An approval can be changed until it is booked.
  expect(answered[1]!.status).toBe(200);
  expect(status).toBe('declined');
  expect(await held(id)).toBe(40);
});

test('only support can see, propose or decide anything', async () => {
  const { id, answers } = await lacking('DU96', 15);
  const body = fifteenGone(id, answers);
  const provider = await signedInPerson(app);
  await giveRole(app.records, provider, 'provider');
  const { body: proposed } = await propose(body);
  for (const { token } of [stranger, provider]) {
    expect((await choices(`difference=${answers.difference}`, token)).status).toBe(404);
    expect((await propose(body, token)).status).toBe(404);
    expect((await decide(proposed.id, APPROVE, token)).status).toBe(404);
  }
  for (const query of ['', 'difference=nothing', 'account=DU96', 'account=DU96&execution=nothing'])
    expect((await choices(query)).status).toBe(404);
  expect((await propose({ ...body, answers: { difference: randomUUID() } })).status).toBe(404);
  expect(await propose({ ...body, deployment: randomUUID() })).toMatchObject({
    status: 400,
    body: { field: 'deployment' },
  });
  expect(await propose({ closes_as: 'external', answers, reason: 'not ours' })).toMatchObject({
    status: 400,
    body: { field: 'closes_as' },
  });
  expect((await decide(randomUUID(), APPROVE)).status).toBe(404);
  expect(await rows('select status from adjustments where break_id = $1', answers.difference)).toEqual([
    { status: 'open' },
  ]);
});
