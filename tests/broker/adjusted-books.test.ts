import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import type { BrokerAnswer, BrokerCredentials } from '#ports/broker.ts';
import type { OpenCredentials } from '#ports/brokers.ts';
import { mountBrokerage } from '#sandbox/interactive-brokers/brokerage.ts';
import { consumerFiles, prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import type { SandboxClock } from '#sandbox/market/clock.ts';
import { marketFeed } from '#sandbox/market/feed.ts';
import { withOptionMarket } from '#sandbox/market/option-market.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import { withShareActions } from '#sandbox/market/share-actions.ts';
import { simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { CALLBACK } from '#tests/conformance/broker/steps.ts';
import { agreeOn, supportPeople } from '#tests/support/agreed-adjustment.ts';
import { NO_MODELS } from '#tests/support/no-models.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { insertDeployment, insertStrategy } from '#tests/support/trading-rows.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { createTrader } from '#trader/trader.ts';
import { instant, type IsoDate, isoText, MINUTE_MS, parseInstant } from '#units/instant.ts';
import { openInProcessHarness, type Person } from './in-process-harness.ts';
import { decide } from './interactive-brokers-harness.ts';
import { wallInstantOf } from '#units/wall-instant.ts';

// Executions that the broker revises, busts or loses, from its own books through the adapter to ours, and two staff who
// correct ours: the sandbox's market and brokerage, the adapter, and the trader on real PostgreSQL.
describe('adjusted executions', async () => {
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
  const openCredentials: OpenCredentials = ({ id }) => credentialsOf.get(id) as BrokerCredentials<never>;
  const trader = createTrader({
    handle,
    brokers: [{ ...harness.broker, vendor: 'scripted' }],
    marketData: sandboxFeed(address),
    models: NO_MODELS,
    openCredentials,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    newId: randomUUID,
    realNow: () => wallInstantOf(real),
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
        brokers: [{ ...harness.broker, vendor: 'scripted' }],
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
    (await rows('select quantity::float8 as units from positions where deployment_id = $1', id))[0]?.units ??
    0;

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

  it('an execution that the broker no longer lists is a difference, and is undone once two people agree', async () => {
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
});

// Written calls from the order to the assignment, through the real parts: the sandbox's market and brokerage over HTTP,
// the adapter, and the trader on real PostgreSQL. At the end of every week our books match the broker's.
describe('written calls', async () => {
  const SHARES = ['TLCO', 'GRNF', 'LKSD'];
  const FIRST_DAY = '2025-09-02' as IsoDate;
  /** Deep calls, so that the dividends of 10 February cause some early assignments. */
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
  const [first] = ok(await ok(await broker.openSession(granted.credentials)).accounts());
  const account = first!.accountId;
  const handle = await testDatabase();
  const problems: string[] = [];
  const note = (_: object, message: string) => void problems.push(message);
  const openTrader = () =>
    createTrader({
      handle,
      brokers: [{ ...broker, vendor: 'scripted' }],
      marketData: sandboxFeed(address),
      models: NO_MODELS,
      openCredentials: () => granted.credentials as BrokerCredentials<never>,
      logger: { info: () => undefined, warn: note, error: note },
      newId: randomUUID,
      realNow: () => wallInstantOf(now),
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
    const side = {
      brokers: [{ ...broker, vendor: 'scripted' }],
      openCredentials: () => granted.credentials as BrokerCredentials<never>,
      pause: async () => undefined,
    };
    return (await checkInvariants(handle.database, side)).flatMap(
      ({ says, violations: found, notChecked }) => [
        ...found.map((violation) => ({ says, ...violation })),
        ...(notChecked === null ? [] : [{ notChecked }]),
      ],
    );
  }

  /** The simulated market with a few shares and half a year of history, to keep the test short. */
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
});
