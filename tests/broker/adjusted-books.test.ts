// What the broker changes, takes back or loses of an execution, from its own books through the adapter to ours, and two
// people who put ours right: the sandbox's market and brokerage, the adapter, and the trader on real PostgreSQL.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import type { SandboxClock } from '#sandbox/market/clock.ts';
import { marketFeed } from '#sandbox/market/feed.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { createTrader } from '#trader/trader.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { type Instant, instant, type IsoDate, isoText, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { agreeOn, supportPeople } from '../support/agreed-adjustment.ts';
import { NO_MODELS } from '../support/no-models.ts';
import { testDatabase } from '../support/test-database.ts';
import { insertDeployment, insertStrategy } from '../support/trading-rows.ts';
import { openInProcessHarness, type Person } from './in-process-harness.ts';

const SHARE = 'TLCO';
const FIRST_DAY = '2025-09-02' as IsoDate;
const DEFINITION = {
  language: 'bellwether-strategy/1',
  name: 'One share',
  universe: [SHARE],
  benchmark: SHARE,
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 0 },
    exitLong: { op: 'below', left: 'close', right: 0 },
  },
  gross: 0.5,
};

let now = parseInstant('2026-02-02T22:00:00Z');
let real = parseInstant('2026-02-02T22:00:00Z');
const prices = onlyOne(simulatedMarket(7));
const harness = await openInProcessHarness({ prices, now: () => now, realNow: () => real });
const app = Fastify();
const clock = { now: () => now, daySeconds: 20, paused: true } as SandboxClock;
await app.register(marketFeed({ mode: 'sandbox', clock, prices, endsAt: null }));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const handle = await testDatabase();
const people = await supportPeople(handle);
const credentialsOf = new Map<string, Person['credentials']>();
const openCredentials = (connection: string) => credentialsOf.get(connection)!;
const trader = createTrader({
  handle,
  broker: harness.broker,
  marketData: sandboxFeed(address),
  models: NO_MODELS,
  openCredentials,
  logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  newId: randomUUID,
  realNow: () => real as Instant,
  steadyMs: () => 0,
});
afterAll(async () => {
  await trader.close();
  await app.close();
  harness.close();
});
const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const runTicks = async (times = 2) => {
  for (let i = 0; i < times; i++) {
    real = instant(real + MINUTE_MS);
    await trader.tick();
  }
};
const violations = async () =>
  (
    await checkInvariants(handle.database, {
      broker: harness.broker,
      openCredentials,
      pause: async () => undefined,
    })
  ).flatMap(({ says, violations: found, notChecked }) => [
    ...found.map((one) => ({ says, ...one })),
    ...(notChecked === null ? [] : [{ notChecked }]),
  ]);

const source = { ...handle, newId: randomUUID, now: () => now };
await trader.tick();
const version = await insertStrategy(source, DEFINITION);

/** Bought at the opening, and revised by the broker a minute later. */
async function bought(name: string, how: 'price' | 'quantity' | 'bust' | 'vanished') {
  now = instant((sessionAt('us-equity', now)?.closesAt ?? now) + MINUTE_MS);
  await runTicks();
  const person = await harness.person(name);
  const id = await insertDeployment(source, version, { account: person.accountId, investment: 20_000 });
  const [{ connection }] = await rows(
    'select broker_connection_id as connection from deployments where id = $1',
    id,
  );
  credentialsOf.set(connection, person.credentials);
  await runTicks();
  now = instant(nextSession('us-equity', now).opensAt + MINUTE_MS);
  await runTicks();
  const [fill] = await rows(
    'select execution_id as id, quantity::float8 as units, price::float8 from fills where deployment_id = $1',
    id,
  );
  harness.script({
    rules: [
      {
        on: 'clock',
        at: isoText(instant(now + MINUTE_MS)),
        account: person.accountId,
        fault: { kind: 'revised', how },
      },
    ],
  });
  now = instant(now + 2 * MINUTE_MS);
  await runTicks(4);
  harness.script({ rules: [] });
  const [held] = await rows(
    `select execution_id as id, report from broker_inbox where account_id = $1 and closed_at is null`,
    person.accountId,
  );
  return { id, account: person.accountId, fill, held };
}
const units = async (id: string) =>
  (await rows('select quantity::float8 as units from positions where deployment_id = $1', id))[0]?.units ?? 0;

it.each(['price', 'quantity', 'bust'] as const)(
  'a revision (%s) is held, and booked once two people agreed',
  async (how) => {
    const { id, fill, held } = await bought(how, how);
    expect(held.id).not.toBe(fill.id);
    expect(await units(id)).toBe(fill.units);
    const reported = held.report as { quantity: number; price: number; commission: number };
    await agreeOn(handle, people, {
      deployment: id,
      execution: held.id,
      symbol: SHARE,
      undoes: fill.id,
      units: reported.quantity / 1e8,
      commission: reported.commission / 1e6,
      ...(reported.quantity > 0 && { price: reported.price }),
    });
    await runTicks();
    expect(await rows('select status, outcome from adjustments where deployment_id = $1', id)).toEqual([
      { status: 'applied', outcome: null },
    ]);
    expect(await units(id)).toBe(reported.quantity / 1e8);
    expect(await violations()).toEqual([]);
  },
);

it('an execution that the broker tells no more is a difference, and undone once two people agreed', async () => {
  const { id, account, fill, held } = await bought('vanished', 'vanished');
  expect(held).toBeUndefined();
  const open = () =>
    rows('select symbol from reconciliation_breaks where account_id = $1 and ended_at is null', account);
  expect(await open()).toEqual([{ symbol: SHARE }]);
  await agreeOn(handle, people, { deployment: id, symbol: SHARE, undoes: fill.id, units: 0 });
  await runTicks();
  expect(await units(id)).toBe(0);
  expect(await open()).toEqual([]);
  expect(await violations()).toEqual([]);
});

function onlyOne(market: PriceSource): PriceSource {
  return {
    ...market,
    instruments: market.instruments.filter(({ symbol }) => symbol === SHARE),
    actions: () => [],
    dailyBars(symbol, range) {
      const from = range.from > FIRST_DAY ? range.from : FIRST_DAY;
      return symbol === SHARE ? market.dailyBars(symbol, { ...range, from }) : [];
    },
  };
}
