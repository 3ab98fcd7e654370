// The followers of one strategy through a year of simulated trading: more money than it takes, a queue that empties as people leave, a new
// version half-way, and an orderly end. `npm run followers-year` runs the whole year; the suite runs a short one.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { inRotation } from '#engine/order/rotation.ts';
import { closeQueue, retireStrategy, takePlace } from '#records/strategies/capacity-queue.ts';
import type { BrokerConnectionId, DeploymentId, StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import { addDays, isoText, utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { requestStatus } from '../support/deployment-commands.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const { FOLLOWERS_DAYS = '10', FOLLOWERS_RESULT } = process.env;
const DAYS = Number(FOLLOWERS_DAYS);
const FOLLOWERS = 16;
const EACH = 10_000;
/** Would fit beside ten of the others, and waits behind those before it all the same. */
const LITTLE = 4_000;
/** Room for ten of them. */
const CAPACITY = 105_000;

const handle = await testDatabase();
const { database, pool } = handle;
const world = await tradingWorld(handle);
const { market, venue } = world;
afterAll(() => world.trader.close());

const rules = (gross: number) => ({
  ...BOTH_ABOVE_30,
  name: 'Above ninety-nine',
  universe: ['AAA'],
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 99 },
    exitLong: { op: 'below', left: 'close', right: 99 },
  },
  gross,
});
let version = (await world.addStrategy(rules(0.5))) as StrategyVersionId;
const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
const [{ id: strategyId }] = (await rows('select strategy_id as id from strategy_versions')) as [
  { id: StrategyId },
];
await pool.query(`insert into capacity_limits (strategy_id, limit_micro, set_by) values ($1, $2, 'x')`, [
  strategyId,
  CAPACITY * 1_000_000,
]);

const followers: DeploymentId[] = [];
let mostInUse = 0;
/** As the API does it, in one transaction. */
async function follow(dollars = EACH): Promise<'admitted' | 'waits'> {
  const id = await world.deploy(version, { investment: dollars });
  followers.push(id);
  return database
    .transaction()
    .execute((trx) =>
      takePlace(trx, { strategyId, deploymentId: id, flowId: null, amount: toMicro(dollars) }),
    );
}
const places = () =>
  rows(
    `select p.place::int, p.deployment_id as id, p.admitted_at is not null as is_in, d.status,
       coalesce(d.requested_status, '') as requested, p.in_use_micro::float8 / 1e6 as before
     from capacity_places p join deployments d on d.id = p.deployment_id order by p.place`,
  );
const statusOf = async (id: DeploymentId) =>
  (await rows('select status from deployments where id = $1', id))[0].status;

/** Nobody in the queue is passed by somebody who signed later. */
async function queueIsKept(): Promise<void> {
  const all = await places();
  const waiting = all.filter((one) => !one.is_in && one.status === 'pending' && one.requested === '');
  const lastIn = Math.max(0, ...all.filter((one) => one.is_in).map(({ place }) => place));
  expect(waiting.filter(({ place }) => place < lastIn)).toEqual([]);
  const [{ used }] = await rows('select capacity_in_use($1)::float8 / 1e6 as used', strategyId);
  // What waits has begun nothing.
  for (const { id } of waiting)
    expect(await rows('select from orders where deployment_id = $1', id)).toEqual([]);
  expect(used).toBeLessThanOrEqual(CAPACITY);
  mostInUse = Math.max(mostInUse, used);
}

/** A close at which the strategy changes its mind, and the session that trades on it; the price is the same at each fill. */
async function signal(day: number): Promise<void> {
  market.setPrice('AAA', day % 2 === 0 ? 100 : 98);
  market.closeDay();
  await world.runTicks(1);
  market.setPrice('AAA', 100);
  market.openDay();
  await world.runTicks(2);
}

async function leave(id: DeploymentId): Promise<void> {
  await requestStatus(pool, id, 'stopped');
  await world.runTicks(2);
}

async function publishNextVersion(): Promise<void> {
  const parsed = parseDefinition(rules(0.4));
  if (!parsed.ok) throw new Error('it parses');
  version = randomUUID() as string as StrategyVersionId;
  await pool.query(
    `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
     values ($1, $2, 2, $3, $4, now())`,
    [version, strategyId, JSON.stringify(parsed.definition), definitionHash(parsed.definition)],
  );
}

/** The accounts in the order in which the broker got their first order of each signal, and that of the rotation, from the records. */
async function rotations() {
  const sent = await rows(
    `select t.strategy_version_id as version, t.turn, o.broker_connection_id as id, o.client_order_id as client
     from orders o join targets t on t.id = o.target_id where o.sent_at is not null order by t.as_of, t.strategy_version_id`,
  );
  const arrival = new Map(venue.submissions.map((client, at) => [String(client), at]));
  const signals = Map.groupBy(sent, ({ version: of, turn }) => `${of} ${turn}`);
  return [...signals.values()].map((orders) => {
    const { version: versionId, turn } = orders[0];
    const first = new Map<BrokerConnectionId, number>();
    for (const { id, client } of orders)
      first.set(id, Math.min(first.get(id) ?? Infinity, arrival.get(client)!));
    const arrived = [...first].toSorted(([, one], [, other]) => one - other).map(([id]) => id);
    const accounts = arrived.map((id) => ({ id }));
    const wanted = inRotation(accounts, () => [{ versionId, turn }]).map(({ id }) => id);
    return { versionId: String(versionId), turn: Number(turn), arrived, wanted };
  });
}

test('the year: capacity is never exceeded, the queue keeps its order, the rotation favours nobody, and the books balance', {
  timeout: 1_200_000,
}, async () => {
  const signed = [];
  for (let i = 0; i < FOLLOWERS; i++) signed.push(await follow());
  expect(signed.filter((one) => one === 'admitted').length).toBe(10);
  expect(await follow(LITTLE)).toBe('waits');
  await world.runTicks(2);
  expect(await statusOf(followers[9]!)).toBe('active');
  expect(await statusOf(followers[10]!)).toBe('pending');
  const half = Math.floor(DAYS / 2);
  for (let day = 1; day <= DAYS; day++) {
    await signal(day);
    await queueIsKept();
    if (day === 4) {
      // Room for the one who is next, and for nobody else.
      await leave(followers[0]!);
      expect(await statusOf(followers[0]!)).toBe('stopped');
      expect(await statusOf(followers[10]!)).toBe('active');
      expect(await statusOf(followers[11]!)).toBe('pending');
      // The next in the queue has had enough: the one after takes the place.
      await leave(followers[11]!);
      await leave(followers[1]!);
      expect(await statusOf(followers[12]!)).toBe('active');
      expect(
        (await rows(`select kind from notifications where deployment_id = $1`, followers[12]!)).map(
          ({ kind }) => kind,
        ),
      ).toContain('capacity_admitted');
    }
    if (day === half) {
      await publishNextVersion();
      expect(await follow()).toBe('waits');
      // A crash between two looks loses nobody’s place.
      await world.restart();
      await leave(followers[2]!);
      await leave(followers[3]!);
      await leave(followers[4]!);
      await leave(followers[5]!);
      // The last one signed after the new version, and trades by it.
      expect(await statusOf(followers[17]!)).toBe('active');
      expect((await places()).filter((one) => !one.is_in && one.status === 'pending')).toEqual([]);
      expect(await follow(20_000)).toBe('waits');
    }
    if (day === half || day === DAYS) await world.everythingHolds();
  }
  const lastDay = addDays(utcDate(market.now()), 2);
  await database.transaction().execute(async (trx) => {
    await retireStrategy(trx, strategyId, lastDay);
    expect((await closeQueue(trx, strategyId, isoText(market.now()))).length).toBe(1);
  });
  await world.runTicks(2);
  expect(await statusOf(followers[18]!)).toBe('stopped');
  expect(await statusOf(followers[17]!)).toBe('active');
  for (let day = 0; day < 4; day++) await signal(2 * day);
  expect(await rows(`select id, status from deployments where status not in ('stopped')`)).toEqual([]);
  expect(await rows('select from positions')).toEqual([]);
  await world.everythingHolds();

  const all = await rotations();
  expect(all.length).toBeGreaterThan(DAYS - 2);
  const arrivals = arrivalsOf(all);
  // Eight are served at once; what the rotation has first reaches the broker earlier all the same.
  expect(arrivals.last).toBeGreaterThan(arrivals.first);
  const fairness = fairnessOf(all);
  expect(fairness.clients).toBeGreaterThan(2);
  expect(fairness.difference).toBeLessThanOrEqual(fairness.bound);
  const waited = (await places()).filter(({ before }) => before === null).length;
  if (FOLLOWERS_RESULT !== undefined)
    writeFileSync(
      FOLLOWERS_RESULT,
      JSON.stringify({
        followers: followers.length,
        neverLetIn: waited,
        signals: all.length,
        versions: new Set(all.map(({ versionId }) => versionId)).size,
        mostInUse,
        capacity: CAPACITY,
        ...fairness,
        arrivals,
      }),
    );
});

type Rotations = Awaited<ReturnType<typeof rotations>>;

/** Where those who were to be first, and those who were to be last, came in on average: 0 is before all others. */
function arrivalsOf(all: Rotations): { readonly first: number; readonly last: number } {
  const sums = { first: 0, last: 0 };
  for (const { arrived, wanted } of all) {
    const placeOf = (id: BrokerConnectionId) => arrived.indexOf(id) / arrived.length / all.length / 2;
    sums.first += placeOf(wanted[0]!) + placeOf(wanted[1] ?? wanted[0]!);
    sums.last += placeOf(wanted.at(-1)!) + placeOf(wanted.at(-2) ?? wanted[0]!);
  }
  return sums;
}

/**
 * The places of those who were in every signal of a version from its first to its last, added up. What the rotation promises: two sums differ
 * by less than the number of accounts, and by one more for each account that came or went meanwhile.
 */
function fairnessOf(all: Rotations) {
  const first = all.filter(({ versionId }) => versionId === all[0]!.versionId);
  const sums = new Map<BrokerConnectionId, number>();
  for (const { wanted } of first)
    for (const [place, id] of wanted.entries()) sums.set(id, (sums.get(id) ?? 0) + place);
  const there = (id: BrokerConnectionId) => first.filter(({ wanted }) => wanted.includes(id)).length;
  const whole = [...sums].filter(([id]) => there(id) === first.length).map(([, sum]) => sum);
  const cameOrWent = first.slice(1).map(({ wanted }, before) => {
    const earlier = first[before]!.wanted;
    const stayed = wanted.filter((id) => earlier.includes(id)).length;
    return wanted.length + earlier.length - 2 * stayed;
  });
  const most = Math.max(...first.map(({ wanted }) => wanted.length));
  return {
    clients: whole.length,
    accounts: most,
    difference: Math.max(...whole) - Math.min(...whole),
    bound: most - 1 + cameOrWent.reduce((sum, one) => sum + one, 0),
  };
}
