// Live days that are worse than the published record, and what their owner chose for that: seen by the trader at each close,
// carried out by the engine, and every invariant holds.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublishedReturns } from '#engine/expectation/published-returns.ts';
import { NO_EVIDENCE } from '#engine/expectation/evidence-against.ts';
import { acknowledgeTripwire } from '#records/expectation/tripwire-evidence.ts';
import { insertExpectedRange } from '#tests/support/expected-range.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { fromQuantity, parseQuantity } from '#units/quantity.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, runTicks } = world;
afterAll(() => world.trader.close());
const rows = async <Row>(query: string, ...values: unknown[]) =>
  (await handle.pool.query(query, values)).rows as Row[];

/** A record that rose by a tenth of a percent a day, with half a percent up and down. */
const PUBLISHED: PublishedReturns = {
  low: -0.02,
  high: 0.022,
  mean: 0.001,
  deviation: 0.005,
  varianceRatio: 1,
};
const CHOICES = ['notify', 'exits_only', 'halve'] as const;
const ids: Record<(typeof CHOICES)[number], DeploymentId> = {} as never;

type Judged = {
  readonly id: DeploymentId;
  readonly state: string;
  readonly until: string | null;
  readonly days: number;
};
const judged = () =>
  rows<Judged>(
    `select d.id, d.tripwire_state as state, t.judged_until::text as until, (t.evidence->>'days')::int as days
     from deployments d join tripwire_evidence t on t.deployment_id = d.id order by d.id`,
  );
const states = async () => new Set((await judged()).map(({ state }) => state));
const held = async (id: DeploymentId) =>
  new Map(
    (
      await rows<{ symbol: string; quantity: string }>(
        'select symbol, quantity from positions where deployment_id = $1',
        id,
      )
    ).map(({ symbol, quantity }) => [symbol, fromQuantity(parseQuantity(quantity))]),
  );

/** One session, in which AAA and BBB move by so much. */
async function day(move: number): Promise<void> {
  market.openDay();
  await runTicks(3);
  for (const symbol of ['AAA', 'BBB']) market.setPrice(symbol, market.price(symbol) * (1 + move));
  market.closeDay();
  await runTicks(2);
}

beforeAll(async () => {
  const version = await world.addStrategy({ ...BOTH_ABOVE_30, schedule: { every: 'day' } });
  for (const symbol of ['AAA', 'BBB']) market.setPrice(symbol, 100);
  market.closeDay();
  await runTicks();
  for (const choice of CHOICES) {
    ids[choice] = await world.deploy(version);
    await rows('update deployments set tripwire_choice = $2 where id = $1', ids[choice], choice);
    await insertExpectedRange(handle.database, ids[choice], PUBLISHED);
  }
  await runTicks(1);
});

test('days as published leave it green, and each close is judged once', async () => {
  for (const move of [0.004, -0.002, 0.003]) await day(move);
  const [first, ...others] = await judged();
  expect(first).toMatchObject({ state: 'green', until: expect.any(String) });
  expect(first!.days).toBeGreaterThan(0);
  for (const one of others) expect(one).toMatchObject({ until: first!.until, days: first!.days });
  await world.restart();
  await runTicks(2);
  expect(await judged(), 'after a crash, the same close again').toEqual([first, ...others]);
});

test('money that is withdrawn is no return', async () => {
  market.openDay();
  await runTicks(2);
  await rows(
    `insert into deployment_flows (id, deployment_id, kind, requested_micro, requested_at)
     values (gen_random_uuid(), $1, 'withdrawal', 1000000000, $2)`,
    ids.notify,
    new Date(market.now()),
  );
  await rows('update deployments set withdrawing_micro = 1000000000 where id = $1', ids.notify);
  await runTicks(4);
  market.closeDay();
  await runTicks(2);
  await day(0.003);
  const [moved] = await rows<{ status: string }>('select status from deployment_flows');
  expect(moved?.status).toBe('done');
  const placedOf = async (id: DeploymentId) => {
    const [row] = await rows<{ evidence: { placed: number[]; days: number } }>(
      'select evidence from tripwire_evidence where deployment_id = $1',
      id,
    );
    return row!.evidence;
  };
  const [own, other] = [await placedOf(ids.notify), await placedOf(ids.halve)];
  expect(own.days).toBe(other.days);
  // A loss of a tenth in one day would have multiplied the boldest bet by nearly two.
  own.placed.forEach((one, i) => expect(Math.abs(one / other.placed[i]! - 1)).toBeLessThan(0.1));
});

test('days that are worse turn it amber and then red, each told once, with what its owner chose', async () => {
  const seen: string[] = [];
  for (let n = 0; n < 30 && !(await states()).has('red'); n++) {
    await day(n % 4 === 0 ? 0.002 : -0.012);
    seen.push(...(await states()));
  }
  expect([...new Set(seen)]).toEqual(['green', 'amber', 'red']);
  for (const choice of CHOICES) {
    const told = await shownNotices(handle, `deployment_id = $1 and kind like 'tripwire%'`, ids[choice]);
    expect(told.map(({ title }) => title)).toEqual(['Results in doubt', 'Worse than its record']);
    const words = { notify: 'goes on as before', exits_only: 'nothing new is opened', halve: 'half of what' };
    expect(told[1]!.message).toContain(words[choice]);
  }
  const mailed = await rows<{ kind: string }>(
    `select n.kind from mails m join notifications n on n.id = m.notification_id where n.kind like 'tripwire%'`,
  );
  expect(mailed).toHaveLength(2 * CHOICES.length);
  const audited = await rows<{ details: string }>(
    `select details from audit_log where subject = $1 and details like '%tripwire_state%' order by seq`,
    `deployment:${ids.halve}`,
  );
  expect(audited.map(({ details }) => JSON.parse(details).to.tripwire_state)).toEqual(['amber', 'red']);
});

test('at its next decision the strategy gets what each owner left of it, and the decision names the limit', async () => {
  // BBB is given up, and wanted again.
  market.openDay();
  await runTicks(3);
  market.setPrice('BBB', 20);
  market.closeDay();
  await runTicks(2);
  const [whole, half] = [await held(ids.notify), await held(ids.halve)];
  await day(0);
  market.openDay();
  await runTicks(3);
  market.setPrice('BBB', 60);
  market.closeDay();
  await runTicks(2);
  market.openDay();
  await runTicks(4);
  expect([...(await held(ids.exits_only)).keys()]).toEqual(['AAA']);
  expect([...(await held(ids.notify)).keys()].toSorted()).toEqual(['AAA', 'BBB']);
  const [a, b] = [await held(ids.notify), await held(ids.halve)];
  for (const symbol of ['AAA', 'BBB']) expect(b.get(symbol)! / a.get(symbol)!).toBeCloseTo(0.5, 1);
  expect(half.get('AAA')! / whole.get('AAA')!).toBeGreaterThan(0.9);
  const codes = async (id: DeploymentId) =>
    new Set(
      (
        await rows<{ code: string }>(
          `select distinct r->>'code' as code from receipts, jsonb_array_elements(refusals) r where deployment_id = $1`,
          id,
        )
      ).map(({ code }) => code),
    );
  expect(await codes(ids.exits_only)).toContain('below_record');
  expect(await codes(ids.halve)).toContain('halved');
  expect(
    [...(await codes(ids.notify))].filter((code) => code === 'below_record' || code === 'halved'),
  ).toEqual([]);
  await world.everythingHolds();
});

test('red stays red in good days, and its owner ends it: the evidence begins anew', async () => {
  for (const move of [0.02, 0.03, 0.02]) await day(move);
  expect(await states()).toEqual(new Set(['red']));
  const at = market.now();
  await handle.database.transaction().execute((trx) => acknowledgeTripwire(trx, { id: ids.exits_only, at }));
  expect((await judged()).find(({ id }) => id === ids.exits_only)).toMatchObject({ state: 'green', days: 0 });
  const [{ evidence } = { evidence: null }] = await rows<{ evidence: unknown }>(
    'select evidence from tripwire_evidence where deployment_id = $1',
    ids.exits_only,
  );
  expect(evidence).toEqual(NO_EVIDENCE);
  // Its next decision buys what it was kept from.
  market.openDay();
  await runTicks(3);
  market.setPrice('BBB', 20);
  market.closeDay();
  await runTicks(2);
  await day(0);
  market.openDay();
  await runTicks(3);
  market.setPrice('BBB', 60);
  market.closeDay();
  await runTicks(2);
  market.openDay();
  await runTicks(4);
  expect([...(await held(ids.exits_only)).keys()].toSorted()).toEqual(['AAA', 'BBB']);
  await world.everythingHolds();
});
