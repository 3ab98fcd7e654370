// The operators' drill of what two people decide at the desk about an incident itself: rows, commissions and stops. No SQL
// solves anything.
import { afterAll, afterEach, expect, test } from 'vitest';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import type { UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, instant } from '#units/instant.ts';
import { wallAfter, wallText } from '#units/wall-instant.ts';
import { drillDesk, DECIDED_DRILL } from './drill-desk.ts';

const drill = await drillDesk(['equity']);
const { app, world, market, venue, runTicks, trading, desk, incident, incidents, review, isOver, drilled } = {
  ...drill,
  ...drill.world,
};
afterAll(() => world.trader.close());
const oneShare = await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['AAA'], name: 'One share' });

const AAA = 'AAA' as Symbol;
afterEach(async () => {
  Object.assign(venue, { hidesStops: false, hidesOrders: false, oddRows: [], asks: null, matches: true });
  Object.assign(venue, { statesCommissions: true });
  venue.spoilt.clear();
  venue.faults.length = 0;
  await nextDay();
  await review();
});

async function nextDay() {
  market.closeDay();
  for (let look = 0; look < 3; look++) {
    market.advance(HOUR_MS);
    await runTicks(1);
  }
  market.setPrice('AAA', 100);
  market.openDay();
  await runTicks(2);
}

/** 80 AAA at 100 with a stop loss of ten percent, and its stop at the broker. */
async function protectedPosition(account: string) {
  market.setPrice('AAA', 100);
  market.closeDay();
  const id = await world.deploy(oneShare, { account, stopLoss: 10 });
  await runTicks(1);
  market.openDay();
  await runTicks(2);
  return id;
}

const PROPOSALS = '/api/operations/proposals/';
const asSue = (url: string, body: object) =>
  app.request({ method: 'POST', url, token: drill.sue.token, body });
/** Two people agree; nothing before. */
async function agree(body: object) {
  const proposed = await asSue(PROPOSALS, { reason: 'the broker’s own screen shows it', ...body });
  expect(proposed.status, proposed.text).toBe(201);
  const url = `${PROPOSALS}${proposed.body.id}/decide/`;
  expect((await asSue(url, { decision: 'approve' })).status).toBe(403);
  const approved = await app.request({
    method: 'POST',
    url,
    token: drill.bob.token,
    body: { decision: 'approve' },
  });
  expect(approved.status, approved.text).toBe(200);
}
const named = ({ account, subject, seen }: { account: string; subject: string; seen: string }) => ({
  account,
  subject,
  seen,
});

const ODD: UnreadRow = {
  list: 'executions',
  key: 'odd-1',
  reason: 'price',
  clientOrderId: null,
  brokerOrderId: '99001',
  executionId: 'odd-1' as ExecutionId,
  instrument: { type: 'unread' },
  raw: '{"price":"one and a quarter"}',
};
const unread = async (account: string) =>
  (await desk()).unread_rows.results.filter((one) => one.account === account);
const isOpen = async (kind: IncidentKind, account: string) =>
  (await incidents(kind)).some((one) => one.account === account);
/** The rows that the accounts of other tests see as well. */
async function ignoreAll() {
  for (const row of (await desk()).unread_rows.results)
    if (row.proposal === null && row.effect !== 'ignored')
      await agree({ action: 'ignore_row', ...named(row) });
}

const withoutStop = async (account: string) =>
  (await desk()).unprotected.results.find((one) => one.account === account);
const retry = async (account: string) => {
  const body = { ...named((await withoutStop(account))!), reason: 'the broker takes stops again' };
  return (await asSue('/api/operations/stops/retry/', body)).status;
};
const dayFromNow = (days: number) => wallText(wallAfter(world.realNow(), days * DAY_MS)).slice(0, 10);

test('a position whose stop is refused is tried again by one person, and acknowledged until a date by two', async () => {
  venue.faults.push(null, 'rejected');
  await protectedPosition('OD2');
  expect(await incident('position_unprotected')).toMatchObject({
    account: 'OD2',
    symbol: 'AAA',
    whose_move: 'staff',
    quote: 'the venue does not like it',
  });
  // The product waits a quarter of an hour; one person ends the wait.
  await runTicks(2);
  expect(await isOpen('position_unprotected', 'OD2')).toBe(true);
  venue.faults.push('rejected');
  const again = () => retry('OD2');
  expect(await again()).toBe(204);
  expect(await again()).toBe(204);
  await runTicks(2);
  expect((await withoutStop('OD2'))!.refusals).toBe(2);
  // Two people acknowledge it; then it waits for its date, or for another position.
  app.world.now = instant(Date.parse(wallText(world.realNow())));
  const until = dayFromNow(2);
  await agree({ action: 'acknowledge', ...named((await withoutStop('OD2'))!), until });
  await runTicks(2);
  expect(await isOpen('position_unprotected', 'OD2')).toBe(false);
  expect(await withoutStop('OD2')).toMatchObject({ proposal: { status: 'approved' } });
  await world.restart();
  await runTicks(1);
  expect(await isOpen('position_unprotected', 'OD2')).toBe(false);
  world.wait(2 * DAY_MS);
  await runTicks(2);
  expect(await isOpen('position_unprotected', 'OD2')).toBe(true);
  expect(await withoutStop('OD2')).toMatchObject({ proposal: null });
  expect(await again()).toBe(204);
  await runTicks(3);
  await isOver('position_unprotected');
});

test('a row that is not ours is read at the desk and set aside by two people, and counts again once it changes', async () => {
  await trading('OD4');
  venue.oddRows = [ODD];
  await runTicks(2);
  for (const found of await incidents('row_unread'))
    expect(found).toMatchObject({ severity: 'today', quote: ODD.raw });
  expect(await isOpen('row_unread', 'OD4')).toBe(true);
  expect(await unread('OD4')).toMatchObject([
    { raw: ODD.raw, effect: 'kept', refusal: null, proposal: null },
  ]);
  await ignoreAll();
  await runTicks(2);
  expect(await unread('OD4')).toMatchObject([{ effect: 'ignored', proposal: { status: 'approved' } }]);
  await isOver('row_unread');
  // A trader that knows nothing but the records keeps to it.
  await world.restart();
  await runTicks(2);
  expect(await incidents('row_unread')).toEqual([]);
  venue.oddRows = [{ ...ODD, raw: '{"price":"two"}' }];
  await runTicks(2);
  expect(await isOpen('row_unread', 'OD4')).toBe(true);
  venue.oddRows = [];
  await runTicks(2);
  expect(await incidents('row_unread')).toEqual([]);
});

test('a row of an instrument that is held wakes an operator, and two people make the instrument sure again', async () => {
  await trading('OD5');
  venue.oddRows = [
    {
      ...ODD,
      key: 'odd-2',
      executionId: 'odd-2' as ExecutionId,
      instrument: { type: 'listed', symbol: AAA },
    },
  ];
  await runTicks(2);
  const held = (await incidents('instrument_unsure')).find(({ account }) => account === 'OD5');
  expect(held).toMatchObject({ severity: 'act_now', whose_move: 'staff', symbol: 'AAA' });
  expect((await review()).posted).toContain('incident.opened instrument_unsure');
  await ignoreAll();
  await runTicks(2);
  expect((await review()).posted).toContain('incident.ended instrument_unsure');
  await isOver('instrument_unsure');
  expect(await incidents('row_unread')).toEqual([]);
});

test('a row of our own order or position is never set aside, and a row that changes meanwhile voids the proposal', async () => {
  const { bought } = await trading('OD10');
  const order = venue.orders.find(({ brokerOrderId }) => brokerOrderId === bought.brokerOrderId)!;
  const own = {
    ...ODD,
    brokerOrderId: order.brokerOrderId,
    key: 'own-1',
    executionId: 'own-1' as ExecutionId,
  };
  venue.oddRows = [own];
  venue.spoilt.add('AAA');
  await runTicks(2);
  const rows = await unread('OD10');
  expect(rows.map(({ list, effect }) => [list, effect]).toSorted()).toEqual([
    ['executions', 'unsure'],
    ['positions', 'unsure'],
  ]);
  for (const row of rows) {
    const refused = await asSue(PROPOSALS, { action: 'ignore_row', reason: 'let it go', ...named(row) });
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([409, 'in_use', row.refusal]);
  }
  venue.spoilt.clear();
  venue.oddRows = [ODD];
  await runTicks(2);
  const [row] = await unread('OD10');
  const proposed = await asSue(PROPOSALS, { action: 'ignore_row', reason: 'not ours', ...named(row!) });
  venue.oddRows = [{ ...ODD, raw: '{"price":"changed"}' }];
  await runTicks(2);
  const url = `${PROPOSALS}${proposed.body.id}/decide/`;
  const late = await app.request({
    method: 'POST',
    url,
    token: drill.bob.token,
    body: { decision: 'approve' },
  });
  expect([late.status, late.body.code]).toEqual([409, 'already_decided']);
  await runTicks(2);
  expect(await isOpen('row_unread', 'OD10')).toBe(true);
});

test('a commission that the broker owes for a day is entered by two people, and revised once the broker states it', async () => {
  venue.statesCommissions = false;
  await trading('OD7');
  market.advance(DAY_MS);
  await runTicks(2);
  const found = await incidents('commission_missing');
  expect(found.map(({ account }) => account)).toContain('OD7');
  expect(found[0]).toMatchObject({ severity: 'watch', whose_move: 'broker' });
  // Two people book what the confirmation says; the broker's own figure revises it later.
  const owed = async () => (await desk()).missing_commissions.results;
  expect((await owed()).map(({ account }) => account)).toContain('OD7');
  const first = (await owed()).find(({ account }) => account === 'OD7')!;
  for (const fill of await owed())
    await agree({
      action: 'state_commission',
      ...named(fill),
      commission: fill.subject === first.subject ? 1.25 : fill.estimate,
    });
  await runTicks(2);
  expect(await owed()).toEqual([]);
  await isOver('commission_missing');
  const booked = () =>
    drill.rows(
      `select f.commission_micro::float8 / 1e6 as commission, f.is_provisional, f.commission_revision as revision
       from fills f where f.account_id = 'OD7' and f.execution_id = $1`,
      first.subject,
    );
  expect(await booked()).toEqual([{ commission: 1.25, is_provisional: false, revision: 1 }]);
  await world.restart();
  await runTicks(2);
  expect(await booked()).toEqual([{ commission: 1.25, is_provisional: false, revision: 1 }]);
  venue.statesCommissions = true;
  await runTicks(2);
  expect(await booked()).toEqual([{ commission: first.estimate, is_provisional: false, revision: 2 }]);
  expect((await checkRecords(app.records.database)).flatMap(({ violations }) => violations)).toEqual([]);
});

test('every kind of its list is drilled', () => {
  expect([...drilled].toSorted()).toEqual(DECIDED_DRILL.toSorted());
});
