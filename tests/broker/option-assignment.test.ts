// Written calls from the order to the assignment, through the real parts: the sandbox's market and brokerage over HTTP,
// the adapter, and the trader on real PostgreSQL. At the end of every week our books and the broker's say the same.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import { describedInstrument } from '#engine/market/derived-instrument.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import { mountBrokerage } from '#sandbox/interactive-brokers/brokerage.ts';
import { consumerFiles, prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import type { SandboxClock } from '#sandbox/market/clock.ts';
import { marketFeed } from '#sandbox/market/feed.ts';
import { withOptionMarket } from '#sandbox/market/option-market.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { withShareActions } from '#sandbox/market/share-actions.ts';
import { simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { createTrader } from '#trader/trader.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { type Instant, instant, type IsoDate, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { CALLBACK } from '../conformance/broker/steps.ts';
import { NO_MODELS } from '../support/no-models.ts';
import { testDatabase } from '../support/test-database.ts';
import { insertDeployment, insertStrategy } from '../support/trading-rows.ts';
import { decide } from './interactive-brokers-harness.ts';

const SHARES = ['TLCO', 'GRNF', 'LKSD'];
const FIRST_DAY = '2025-09-02' as IsoDate;
/** Deep calls, so that the dividends of 10 February call some away early. */
const DEFINITION = {
  language: 'bellwether-strategy/1',
  name: 'Deep covered calls',
  universe: SHARES,
  benchmark: 'TLCO',
  direction: 'long_short',
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 0 },
    exitLong: { op: 'below', left: 'close', right: 0 },
  },
  gross: 0.9,
  options: { structure: 'covered_call', underlyings: SHARES, strikePercent: 93 },
};

let now = parseInstant('2026-02-02T22:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'assignment-'));
const app = Fastify();
const consumer = prepareConsumer(folder);
const prices = withOptionMarket(onlyShares(withShareActions(simulatedMarket(7))));
const brokerage = mountBrokerage(app, {
  file: join(folder, 'brokerage.sqlite'),
  consumer,
  prices,
  now: () => now,
});
const clock = { now: () => now, daySeconds: 20, paused: true } as SandboxClock;
await app.register(marketFeed({ mode: 'sandbox', clock, prices, endsAt: null }));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const files = consumerFiles(folder);
const known = new Map(prices.instruments.map((one) => [one.symbol, one]));
const broker = interactiveBrokers({
  baseUrl: `${address}/v1/api`,
  authorizeUrl: `${address}/authorize`,
  consumerKey: consumer.key,
  realm: consumer.realm,
  dhPrimeHex: consumer.dhPrimeHex,
  signaturePrivateKeyPem: readFileSync(files.signaturePrivatePem, 'utf8'),
  encryptionPrivateKeyPem: readFileSync(files.encryptionPrivatePem, 'utf8'),
  findInstrument: (symbol) => describedInstrument(symbol, known),
  timeoutMs: 5_000,
  compete: false,
  rateLimits: NO_RATE_LIMITS,
});
const pending = ok(await broker.beginAuthorization({ callbackUrl: CALLBACK }));
const verifier = (await decide(pending.authorizeUrl, 'approve', 'writer')) ?? '';
const granted = ok(await broker.completeAuthorization({ requestToken: pending.requestToken, verifier }));
const account = granted.accounts[0]!.accountId;
const handle = await testDatabase();
const problems: string[] = [];
const note = (_: object, message: string) => void problems.push(message);
const openTrader = () =>
  createTrader({
    handle,
    broker,
    marketData: sandboxFeed(address),
    models: NO_MODELS,
    openCredentials: () => granted.credentials,
    logger: { info: () => undefined, warn: note, error: note },
    newId: randomUUID,
    realNow: () => Date.now() as Instant,
  });
let trader = openTrader();
afterAll(async () => {
  await trader.close();
  await app.close();
  brokerage.close();
  rmSync(folder, { recursive: true, force: true });
});

it('are covered, called away at the strike, early before a dividend, and bought again', async () => {
  const rows = { ...handle, newId: randomUUID, now: () => now };
  expect((await trader.tick()).problems).toEqual([]);
  const version = await insertStrategy(rows, DEFINITION);
  await insertDeployment(rows, version, { account, investment: 60_000, maxAllocation: 35 });
  const end = parseInstant('2026-03-24T00:00:00Z');
  for (let day = 0; now < end; day++) {
    const open = nextSession('us-equity', now);
    for (const at of [open.opensAt + MINUTE_MS, open.opensAt + 60 * MINUTE_MS, open.closesAt + MINUTE_MS]) {
      now = instant(at);
      await trader.tick();
    }
    expect(sessionAt('us-equity', now)).toBeNull();
    if (day % 7 === 3) {
      await trader.close();
      trader = openTrader();
    }
    if (day % 5 === 4) expect(await violations()).toEqual([]);
  }
  const events = (
    await handle.pool.query(
      `select kind, symbol, date::text, event->>'shares' as shares from position_events order by id`,
    )
  ).rows;
  const assigned = events.filter(({ kind }) => kind === 'assignment');
  expect(assigned.filter(({ date }) => date === '2026-02-09').length).toBeGreaterThan(0);
  expect(
    assigned.filter(({ date }) => date === '2026-02-20' || date === '2026-03-20').length,
  ).toBeGreaterThan(1);
  const { rows: held } = await handle.pool.query(
    `select symbol, quantity::float from positions order by symbol`,
  );
  for (const { symbol, quantity } of held) if (SHARES.includes(symbol)) expect(quantity).toBeGreaterThan(0);
  expect(held.filter(({ symbol }) => !SHARES.includes(symbol)).length).toBeGreaterThan(0);
  const { rows: reported } = await handle.pool.query(
    `select count(*)::int as notices from notifications where facts -> 'holding' ->> 'type' = 'assignment'`,
  );
  expect(reported[0]!.notices).toBe(assigned.length);
  expect(problems.filter((line) => !line.includes('external'))).toEqual([]);
  expect(await violations()).toEqual([]);
}, 240_000);

async function violations() {
  const side = { broker, openCredentials: () => granted.credentials, pause: async () => undefined };
  return (await checkInvariants(handle.database, side)).flatMap(({ says, violations: found, notChecked }) => [
    ...found.map((violation) => ({ says, ...violation })),
    ...(notChecked === null ? [] : [{ notChecked }]),
  ]);
}

/** The simulated market with a few shares and half a year of history, so that a test need not read it all. */
function onlyShares(source: PriceSource): PriceSource {
  return {
    ...source,
    instruments: source.instruments.filter(({ symbol }) => SHARES.includes(symbol)),
    actions: (at) => (source.actions?.(at) ?? []).filter(({ symbol }) => SHARES.includes(symbol)),
    dailyBars(symbol, range) {
      const from = range.from > FIRST_DAY ? range.from : FIRST_DAY;
      return SHARES.includes(symbol) ? source.dailyBars(symbol, { ...range, from }) : [];
    },
  };
}

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
