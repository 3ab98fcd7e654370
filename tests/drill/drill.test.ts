// The operators' drill: each kind of incident from its cause to the desk, to the alarm where it wakes someone, and to its
// end by what the desk offers over HTTP, or by the cause itself. No SQL solves anything; some of it breaks things.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import { INCIDENT_KINDS } from '#engine/incidents/incident-kind.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import type { Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { BrokerUnavailable } from '#trader/connections/broker-unavailable.ts';
import {
  ARCHIVE_DRILL,
  DECIDED_DRILL,
  drillDesk,
  ORDER_DRILL,
  OWN_DRILL,
  RESTORE_DRILL,
} from './drill-desk.ts';

const drill = await drillDesk();
const { app, world, market, venue, runTicks, trading, desk, incident, incidents, review, isOver, drilled } = {
  ...drill,
  ...drill.world,
};
const { database } = app.records;
afterAll(() => world.trader.close());
const MINUTE = 60_000;
const QUIET = { posted: [], mailed: [] };

afterEach(async () => {
  Object.assign(venue, { down: false, signedOut: false, sessionStatus: 'connected', onCall: null });
  Object.assign(market, { outage: null, spoil: null });
  venue.faults.length = 0;
  world.wait(20 * MINUTE);
  await runTicks(3);
  await review();
  await review();
});

/** Nothing ends by itself sooner. */
const aQuietWhile = async () => {
  world.wait(6 * MINUTE);
  await runTicks(2);
};

test('a broker that does not respond is watched, alarms after a quarter of an hour, and ends when it is read again', async () => {
  const { account } = await trading('DR1');
  venue.down = true;
  await runTicks(1);
  expect(await incidents('connection_lost')).toEqual([]);
  await runTicks(2);
  expect(await incident('connection_lost')).toMatchObject({
    severity: 'watch',
    whose_move: 'broker',
    account,
    deployments: 1,
    runbook: 'connection-lost',
  });
  expect((await desk()).connections.results).toMatchObject([{ account, state: 'lost', deployments: 1 }]);
  expect(await review()).toEqual(QUIET);
  // A restarted trader knows since when.
  await world.restart();
  world.wait(15 * MINUTE);
  await runTicks(1);
  expect(await review()).toEqual({
    posted: ['incident.opened connection_lost'],
    mailed: [`act now: Broker does not respond (${account})`],
  });
  expect(await review()).toEqual(QUIET);
  expect(await incident('connection_lost')).toMatchObject({ severity: 'act_now' });
  venue.down = false;
  await runTicks(2);
  expect(await review()).toEqual({
    posted: ['incident.ended connection_lost'],
    mailed: [`over: Broker does not respond (${account})`],
  });
  await isOver('connection_lost');
  expect((await desk()).connections.results).toEqual([]);
});

test('what the client or the broker must do at a connection is shown as theirs, and ends with it', async () => {
  await trading('DR2');
  const causes = {
    connection_sign_in_due: () => void (venue.signedOut = true),
    connection_competing: () => void (venue.sessionStatus = 'competing'),
    connection_read_only: () => void (venue.sessionStatus = 'read_only'),
    connection_degraded: () =>
      void (venue.onCall = (call) => {
        if (call === 'orders') throw new BrokerUnavailable('orders', 'unreadable', 'row 3 has no side');
      }),
  } as const;
  for (const [kind, cause] of Object.entries(causes) as [keyof typeof causes, () => void][]) {
    cause();
    await runTicks(4);
    const found = await incidents(kind);
    expect(found.length, kind).toBeGreaterThan(0);
    expect(found[0]!.whose_move).toBe(kind === 'connection_degraded' ? 'nobody' : 'owner');
    // At the desk, with its state, since when, and the deployments behind it.
    const shown = (await desk()).connections.results.find((one) => one.id === found[0]!.subject);
    expect(shown).toMatchObject({ state: kind.replace('connection_', ''), since: found[0]!.since });
    expect(shown!.deployments).toBeGreaterThan(0);
    expect(await drill.handOver(found[0]!, 'staff')).toMatchObject({
      whose_move: 'staff',
      note: { text: 'the client knows', by: expect.stringContaining('@') },
    });
    Object.assign(venue, { signedOut: false, sessionStatus: 'connected', onCall: null });
    await runTicks(3);
    await isOver(kind);
  }
});

test('an account that its broker blocks is its owner’s to settle, and ends when the broker lifts the block', async () => {
  const { account } = await trading('DR14');
  venue.standing = ['trading_blocked'];
  await runTicks(3);
  const blocked = (await incidents('account_restricted')).find((one) => one.account === account);
  expect(blocked).toMatchObject({ severity: 'today', whose_move: 'owner', runbook: 'account-restricted' });
  expect(await drill.handOver(blocked!, 'broker')).toMatchObject({ whose_move: 'broker' });
  venue.standing = [];
  await runTicks(3);
  await isOver('account_restricted');
});

test('work of ours that fails on the broker’s answers wakes engineering', async () => {
  await trading('DR3');
  venue.onCall = (call) => {
    if (call === 'positions' || call === 'orders') throw new TypeError('undefined is not a position');
  };
  await runTicks(4);
  const [failing] = await incidents('connection_failing');
  expect(failing).toMatchObject({ severity: 'act_now', quote: 'undefined is not a position' });
  const { posted } = await review();
  expect(new Set(posted)).toEqual(new Set(['incident.opened connection_failing']));
  venue.onCall = null;
  await drill.lookAgain('connection_failing');
  await isOver('connection_failing');
});

test('a fill that the books cannot take is solved by two people at the desk', async () => {
  const { account, id, bought } = await trading('DR4');
  const revision = venue.revise(bought, { price: 101 });
  await runTicks(1);
  expect(await incident('execution_held')).toMatchObject({
    subject: revision.executionId,
    severity: 'today',
    whose_move: 'staff',
    account,
    symbol: 'AAA',
  });
  const answers = { account, execution: revision.executionId };
  const { body: choices } = await drill.choices(`account=${account}&execution=${revision.executionId}`);
  const proposed = await drill.propose({
    closes_as: 'adjustment',
    answers,
    deployment: id,
    replaces: choices.replaces,
    quantity: choices.quantity,
    price: choices.price,
    commission: choices.commission,
    reason: 'the broker changed its price',
  });
  expect(proposed.status, proposed.text).toBe(201);
  expect((await drill.decide(proposed.body.id, { decision: 'approve' })).status).toBe(200);
  await runTicks(2);
  await isOver('execution_held');
});

test('a position that nothing explains is solved by two people at the desk', async () => {
  const { account, id } = await trading('DR11');
  venue.deliver(account, 'AAA', -15);
  await runTicks(3);
  await review();
  expect(await incident('position_unexplained')).toMatchObject({ account, symbol: 'AAA', deployments: 1 });
  const { id: difference } = (await drill.breakOf(account))!;
  const body = { closes_as: 'adjustment', answers: { difference }, deployment: id };
  const proposed = await drill.propose({ ...body, quantity: -15, price: 100, reason: 'they are gone' });
  expect((await drill.decide(proposed.body.id, { decision: 'approve' })).status).toBe(200);
  await runTicks(3);
  await review();
  await isOver('position_unexplained');
});

test('an end of day that cannot be processed wakes an operator until it can', async () => {
  const { id } = await trading('DR12');
  await app.records.owner.query(`create function poison() returns trigger language plpgsql as $$
    begin if new.deployment_id = '${id}' then raise exception 'poison'; end if; return new; end $$`);
  await app.records.owner.query(
    `create trigger poison before insert on position_events for each row execute function poison()`,
  );
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'dividend', exDate, amount: 1 });
  market.closeDay();
  await runTicks(4);
  expect(await incident('end_of_day_stuck')).toMatchObject({ severity: 'act_now', subject: 'us-equity' });
  await app.records.owner.query(`drop trigger poison on position_events`);
  await app.records.owner.query(`drop function poison`);
  await drill.lookAgain('end_of_day_stuck');
  await isOver('end_of_day_stuck');
});

test('an adjustment that cannot be booked is shown until it can', async () => {
  const { account, id } = await trading('DR5');
  venue.deliver(account, 'AAA', -15);
  await runTicks(3);
  const difference = (await drill.breakOf(account))!;
  await app.records.owner.query(`create function poison() returns trigger language plpgsql as $$
    begin if new.status = 'applied' then raise exception 'poison'; end if; return new; end $$`);
  await app.records.owner.query(
    `create trigger poison before update on adjustments for each row execute function poison()`,
  );
  const body = { closes_as: 'adjustment', answers: { difference: difference.id }, deployment: id };
  const proposed = await drill.propose({ ...body, quantity: -15, price: 100, reason: 'they are gone' });
  await drill.decide(proposed.body.id, { decision: 'approve' });
  await runTicks(3);
  expect(await incident('adjustment_failing')).toMatchObject({ subject: proposed.body.id, quote: 'poison' });
  await app.records.owner.query(`drop trigger poison on adjustments`);
  await app.records.owner.query(`drop function poison`);
  await drill.lookAgain('adjustment_failing');
  await isOver('adjustment_failing');
});

test('an order that cannot be sent is shown once it has failed for a while', async () => {
  venue.faults.push(...Array.from({ length: 40 }, () => 'not sent' as const));
  // It waits for a fill that never comes.
  await trading('DR6').catch(() => undefined);
  await runTicks(4);
  const [failing] = await incidents('order_failing');
  expect(failing).toMatchObject({ account: 'DR6', quote: 'no connection', whose_move: 'staff' });
  venue.faults.length = 0;
  await aQuietWhile();
  await isOver('order_failing');
});

test('a trader that is silent for a minute wakes an operator, and reports again', async () => {
  await runTicks(1);
  expect(await review()).toEqual(QUIET);
  world.wait(2 * MINUTE);
  expect((await review()).posted).toEqual(['incident.opened trader_silent']);
  expect(await incident('trader_silent')).toMatchObject({ severity: 'act_now', whose_move: 'staff' });
  await runTicks(1);
  expect((await review()).posted).toEqual(['incident.ended trader_silent']);
  await isOver('trader_silent');
});

test('a feed that is away stops the tick, and its return ends that', async () => {
  market.outage = 'unreachable';
  await runTicks(4);
  expect(await incident('tick_failing')).toMatchObject({ severity: 'act_now', subject: 'trader' });
  expect((await review()).posted).toContain('incident.opened tick_failing');
  // Who says so too early has changed nothing.
  await drill.lookAgain('tick_failing');
  expect(await incidents('tick_failing')).toHaveLength(1);
  market.outage = null;
  await drill.lookAgain('tick_failing');
  await isOver('tick_failing');
});

test('bars that do not come stop the strategies that read them', async () => {
  await trading('DR8');
  market.spoil = (bar, symbol) => {
    if (symbol === 'AAA') throw new Error('the feed hangs up');
    return bar;
  };
  market.closeDay();
  await runTicks(4);
  expect(await incident('market_data_failing')).toMatchObject({ symbol: 'AAA', quote: 'the feed hangs up' });
  expect(await incident('strategy_failing')).toMatchObject({ severity: 'act_now' });
  market.spoil = null;
  await runTicks(1);
  await drill.lookAgain('market_data_failing');
  await drill.lookAgain('strategy_failing');
  await isOver('market_data_failing');
  await isOver('strategy_failing');
});

test('a price that cannot be right is refused and shown, until the feed corrects it', async () => {
  await trading('DR9');
  market.spoil = (bar, symbol) => (symbol === 'AAA' ? { ...bar, high: bar.low / 2 } : bar);
  market.closeDay();
  await runTicks(4);
  expect(await incident('price_refused')).toMatchObject({ symbol: 'AAA', severity: 'today' });
  market.spoil = null;
  await runTicks(1);
  await drill.lookAgain('price_refused');
  await isOver('price_refused');
});

test('a price that the second feed does not bear out is shown, and is over when both agree again', async () => {
  await trading('DR9b');
  market.openDay();
  const others = { BBB: market.price('BBB'), USDJPY: market.price('USDJPY') };
  market.second = { ...others, AAA: market.price('AAA') * 1.05 };
  await runTicks(4);
  expect(await incident('price_doubted')).toMatchObject({
    symbol: 'AAA',
    severity: 'today',
    whose_move: 'staff',
    quote: expect.stringContaining('more than 1 percent apart'),
    runbook: 'price-doubted',
  });
  market.second = null;
  await drill.lookAgain('price_doubted');
  await isOver('price_doubted');
});

test('a day that the vendor’s calendar has and our rules have not is shown until both agree', async () => {
  await trading('DR9c');
  const date = nextTradingDay('us-equity', utcDate(market.now()));
  market.closedByVendor.add(date);
  await runTicks(3);
  expect(await incident('calendar_contradicted')).toMatchObject({
    subject: 'us-equity',
    severity: 'today',
    whose_move: 'staff',
    quote: expect.stringMatching(new RegExp(`${date}: the vendor says no session, our rules say .* to `)),
    runbook: 'calendar-contradicted',
  });
  market.closedByVendor.clear();
  await aQuietWhile();
  await isOver('calendar_contradicted');
});

test('a block by the broker is shown with its end, and passes', async () => {
  const limiter = sharedRateLimiter(database, { server: 'broker.test', userHash: 'u' });
  await limiter.penalise(5_000);
  await review();
  expect(await incident('penalty_box')).toMatchObject({ subject: 'broker.test', whose_move: 'nobody' });
  await sleep(5_100);
  await review();
  await isOver('penalty_box');
});

test('every kind is drilled, here or in one of the other files', () => {
  expect(INCIDENT_KINDS.filter((kind) => !drilled.has(kind)).toSorted()).toEqual(
    [...ORDER_DRILL, ...DECIDED_DRILL, ...OWN_DRILL, ...RESTORE_DRILL, ...ARCHIVE_DRILL].toSorted(),
  );
});
