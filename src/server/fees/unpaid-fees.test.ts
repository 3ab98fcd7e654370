import { describe, expect, test } from 'vitest';
import { beat } from '#records/operations/heartbeats.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { unpaidFee } from '#tests/support/unpaid-fee.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instant, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { wallInstantOf } from '#units/wall-instant.ts';
import { collectFees } from './collect-fees.ts';

const app = await testApp();
const { records, request, dependencies } = app;
const ledger = dependencies.payments;
const START = parseInstant('2026-05-04T12:00:00Z');
const days = (count: number): Instant => instant(START + count * DAY_MS);

/** The market's clock. */
const moveTo = (marketAt: Instant) =>
  beat(records.database, {
    process: 'trader',
    beatAt: wallInstantOf(instant(Date.now())),
    marketAt,
    details: {},
  });

/** Notes what is charged, and answers as told: one reference is paid once. */
function charging(outcome: object = { outcome: 'paid', vendorReference: 'v', amount: toMicro(300) }) {
  const charges: string[] = [];
  const payments = {
    ...ledger,
    vendor: 'told',
    takesMoney: true,
    charge: async ({ reference }: { readonly reference: string }) => {
      charges.push(reference);
      return outcome;
    },
  };
  Object.assign(dependencies, { payments });
  return charges;
}

/** A bill that is due now, by the market's clock. */
async function billed({ automatic }: { readonly automatic: boolean }) {
  await moveTo(START);
  const { person, deploymentId } = await newDeployment(app);
  const bill = await unpaidFee(records, deploymentId, { daysAgo: 0 });
  await request({ method: 'PATCH', url: '/api/fees/payment/', token: person.token, body: { automatic } });
  const shown = async () =>
    (await request({ method: 'GET', url: `/api/fees/bills/${bill}/`, token: person.token })).body;
  const pay = () => request({ method: 'POST', url: `/api/fees/bills/${bill}/pay/`, token: person.token });
  return { person, deploymentId, bill, shown, pay };
}

test('a bill is paid once, whoever asks for it and how often', async () => {
  const { bill, shown, pay } = await billed({ automatic: true });
  const charges = charging();
  const answers = await Promise.all([pay(), collectFees(dependencies), pay()]);
  expect([answers[0].status, answers[2].status]).toEqual([200, 200]);
  await pay();
  await collectFees(dependencies);
  expect(new Set(charges)).toEqual(new Set([bill]));
  const { rows } = await records.pool.query('select from fee_payments where bill_id = $1', [bill]);
  expect(rows).toHaveLength(1);
  expect(await shown()).toMatchObject({ state: 'paid', paid: 300, unpaid_stage: null });
});

test('a bill is paid by itself when it falls due, not before, and not where its owner pays', async () => {
  const automatic = await billed({ automatic: true });
  const own = await billed({ automatic: false });
  const charges = charging();
  await moveTo(days(-0.01));
  await collectFees(dependencies);
  expect(await automatic.shown()).toMatchObject({ state: 'due', paid_at: null });
  await moveTo(START);
  await collectFees(dependencies);
  expect(charges).toContain(automatic.bill);
  expect(charges).not.toContain(own.bill);
  expect(await own.shown()).toMatchObject({ state: 'overdue', unpaid_stage: 'overdue' });
});

test('a declined payment is left to the owner, who is told once', async () => {
  const { person, deploymentId, shown } = await billed({ automatic: true });
  const charges = charging({ outcome: 'declined', why: 'expired' });
  for (let look = 0; look < 3; look++) await collectFees(dependencies);
  expect(charges).toHaveLength(1);
  expect(await shown()).toMatchObject({ state: 'overdue' });
  const { body } = await request({ method: 'GET', url: '/api/fees/payment/', token: person.token });
  expect(body.automatic).toBe(false);
  const notices = await shownNotices(records, 'deployment_id = $1', deploymentId);
  expect(notices.filter(({ kind }) => kind === 'fee_declined')).toHaveLength(1);
});

test('without an answer of the payment service nothing is recorded, and the next look asks again', async () => {
  const { shown, pay } = await billed({ automatic: true });
  const charges = charging({ outcome: 'unavailable', reason: 'down' });
  await collectFees(dependencies);
  expect((await pay()).status).toBe(503);
  expect(charges).toHaveLength(2);
  expect(await shown()).toMatchObject({ state: 'overdue', paid_at: null });
  charging();
  await collectFees(dependencies);
  expect(await shown()).toMatchObject({ state: 'paid' });
});

describe('a bill that its owner does not pay', () => {
  test('is reminded of at each step once, stops new exposure after two weeks, and nothing any more once it is paid', async () => {
    const { person, deploymentId, pay } = await billed({ automatic: false });
    const id = deploymentId as DeploymentId;
    const canTrade = async () => (await readTradingGates(records.database, id, AGREEMENT_VERSION)).feesPaid;
    charging();
    const seen: [number, boolean, number][] = [];
    for (const day of [0, 6.9, 7, 13.9, 14, 30]) {
      await moveTo(days(day));
      await collectFees(dependencies);
      await collectFees(dependencies);
      const notices = await shownNotices(records, `deployment_id = $1 and kind = 'fee_unpaid'`, deploymentId);
      seen.push([day, await canTrade(), notices.length]);
    }
    expect(seen).toEqual([
      [0, true, 1],
      [6.9, true, 1],
      [7, true, 2],
      [13.9, true, 2],
      [14, false, 3],
      [30, false, 4],
    ]);
    expect((await pay()).body).toMatchObject({ state: 'paid' });
    expect(await canTrade()).toBe(true);
    const switched = { method: 'PATCH', url: '/api/fees/payment/', token: person.token } as const;
    expect((await request({ ...switched, body: { automatic: 'yes' } })).status).toBe(400);
  });

  test("does not touch anyone else, and nobody pays someone else's", async () => {
    const owner = await billed({ automatic: false });
    const stranger = await billed({ automatic: true });
    await moveTo(days(20));
    const gates = await readTradingGates(
      records.database,
      stranger.deploymentId as DeploymentId,
      AGREEMENT_VERSION,
    );
    expect(gates.feesPaid).toBe(true);
    const url = `/api/fees/bills/${owner.bill}/pay/`;
    expect((await request({ method: 'POST', url, token: stranger.person.token })).status).toBe(404);
    expect(await owner.shown()).toMatchObject({ state: 'overdue', unpaid_stage: 'stopped' });
  });
});
