// A covered call on a live market, as one person runs it with the keys of their own account: its shares, its calls on the
// vendor's quotes of contracts, their marks, two expiries and the end. The product, its trader and all, and Alpaca's stand-in share
// a clock that is moved from day to day.
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrokerConnection } from '#contract/brokerage.ts';
import type { Deployment } from '#contract/deployments.ts';
import { OWNER_EMAIL, ownerPasswordFile } from '#processes/installation/owner.ts';
import { type Person, signIn } from '#processes/demo-world/demo-account/person.ts';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import type { Account } from '#sandbox/alpaca/orders/order.ts';
import { mountAlpaca, type StandIn } from '#sandbox/alpaca/stand-in.ts';
import { withOptionMarket } from '#sandbox/market/option-market.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { ask } from '#tests/support/both-books.ts';
import { deploy, qualify } from '#tests/support/investor.ts';
import { type ProductHome, productHome, type RunningProduct } from '#tests/support/product.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type MovedClock, movedClock } from './moved-clock.ts';

const SHARE = 'TLCO' as Symbol;
/** Two percent above the close of each expiry before, rounded up to a strike: 68.22 on 16 January, and 73.02 on 20 February. */
const FEBRUARY = 'TLCO.260220C70' as Symbol;
const MARCH = 'TLCO.260320C76' as Symbol;
/** A look at the market, and the vendor's quotes of contracts, ten seconds old at most. */
const LOOKS_MS = 120_000;

describe('a covered call on a live market', () => {
  const app = Fastify();
  const prices = withOptionMarket(simulatedMarket(DEFAULT_SEED));
  let clock: MovedClock;
  let standIn: StandIn;
  let account: Account;
  let home: ProductHome;
  let settings: Record<string, string>;
  let product: RunningProduct;
  let owner: Person;
  let id: string;
  const rows = (query: string) => ask(home.databaseUrl().replace(/bellwether$/, 'bellwether_live'), query);
  const deployment = () => owner.call<Deployment>('GET', `/api/deployments/${id}/`);
  const held = async () =>
    Object.fromEntries((await deployment()).positions.map(({ ticker, quantity }) => [ticker, quantity]));
  const atBroker = () =>
    Object.fromEntries(
      [...account.held].flatMap(([symbol, units]) => (units === 0 ? [] : [[symbol, units / 1e8]])),
    );
  const soon = (look: () => unknown) => expect.poll(look, { timeout: LOOKS_MS, interval: 250 });

  beforeAll(async () => {
    clock = movedClock('2026-02-02T15:00:00Z');
    const { now } = clock;
    // Its days are made before anybody waits for an answer.
    prices.listedAt?.(now());
    standIn = mountAlpaca(app, { prices, now, client: { id: 'unused', secret: 'unused' } });
    const mine = standIn.signIn.openWithKey();
    account = mine.account;
    Object.assign(account.flags, { optionsTradingLevel: 0 });
    const keys = { id: mine.keyId, secret: mine.secretKey };
    await app.register(async (scope) => mountAlpacaMarketData(scope, { prices, now, keys }));
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    home = await productHome();
    settings = {
      ...clock.settings,
      APCA_API_KEY_ID: mine.keyId,
      APCA_API_SECRET_KEY: mine.secretKey,
      ALPACA_DATA_URL: address,
      ALPACA_TRADING_URL: address,
      MARKET_SYMBOLS: `BWMKT,${SHARE}`,
      MARKET_OPTIONS: SHARE,
    };
  }, 60_000);
  afterAll(async () => {
    await home?.remove();
    await app.close();
    clock?.remove();
  }, 60_000);

  const step = walkInSteps({ timeout: 300_000 });

  step('it is deployed, and its shares are bought', async () => {
    product = await home.start(settings);
    const password = readFileSync(ownerPasswordFile(home.dataDir), 'utf8').trim();
    owner = await signIn(home.baseUrl, { email: OWNER_EMAIL, password, firstName: 'Owner' });
    await qualify(owner);
    const [connection] = await owner.call<BrokerConnection[]>('GET', '/api/broker-connections/');
    const mine = { ...owner, connectionId: connection!.id };
    id = await deploy(mine, `Covered call on ${SHARE}`, { amount: 30_000 });
    await soon(held).toEqual({ [SHARE]: expect.any(Number) });
    expect((await held())[SHARE]).toBeGreaterThan(200);
    expect(atBroker()).toEqual(await held());
  });

  step('below the level that it needs no call is written, and it says which', async () => {
    const waiting = () =>
      rows(
        `select symbol, reason_params -> 'restriction' as why from orders where status = 'intended' and symbol <> '${SHARE}'`,
      );
    await soon(waiting).toEqual([{ symbol: FEBRUARY, why: { code: 'options_level', level: 0, needed: 1 } }]);
    expect(new Set(standIn.books.orders.map(({ instrument }) => instrument.symbol))).toEqual(
      new Set([SHARE]),
    );
  });

  step(
    'at that level a call is written for each hundred shares, at what the vendor’s book bids',
    async () => {
      Object.assign(account.flags, { optionsTradingLevel: 1 });
      await soon(held).toMatchObject({ [FEBRUARY]: -2 });
      expect(atBroker()).toEqual(await held());
      const [sale, ...others] = standIn.books.fills.filter(
        ({ order }) => order.instrument.symbol === FEBRUARY,
      );
      expect(others).toEqual([]);
      const { bid } = prices.quote(FEBRUARY, sale!.at)!;
      expect(sale!.price).toBeCloseTo(bid, 2);
      expect(
        await rows(`select quantity::float, price::float from fills where symbol = '${FEBRUARY}'`),
      ).toEqual([{ quantity: 2, price: sale!.price }]);
    },
  );

  step('its value follows the vendor’s quotes of the contract', async () => {
    for (const at of ['2026-02-02T18:00:00Z', '2026-02-02T20:30:00Z']) {
      clock.goTo(at);
      await soon(async () => {
        const { positions, as_of: asOf } = await deployment();
        const call = positions.find(({ ticker }) => ticker === FEBRUARY);
        const { bid, ask: asked } = prices.quote(FEBRUARY, clock.now())!;
        const isOfNow = Date.parse(asOf) >= Date.parse(at);
        return (
          isOfNow &&
          call !== undefined &&
          call.current_price >= bid - 0.02 &&
          call.current_price <= asked + 0.02
        );
      }).toBe(true);
    }
    const { equity, cash_balance: cash, positions } = await deployment();
    const call = positions.find(({ ticker }) => ticker === FEBRUARY)!;
    expect(call.current_value).toBeCloseTo(-200 * call.current_price, 2);
    expect(positions.reduce((sum, one) => sum + one.current_value, cash)).toBeCloseTo(equity, 4);
  });

  step(
    'at its expiry it is assigned: the shares leave at the strike, and the books are the broker’s',
    async () => {
      clock.goTo('2026-02-20T20:30:00Z');
      await soon(() =>
        rows(
          "select 1 as n from heartbeats where process = 'trader' and market_at >= '2026-02-20T20:30:00Z'",
        ),
      ).toHaveLength(1);
      clock.goTo('2026-02-20T21:25:00Z');
      await soon(held).not.toHaveProperty([FEBRUARY]);
      expect(atBroker()).toEqual(await held());
      expect(await rows('select kind, symbol from position_events')).toEqual([
        { kind: 'assignment', symbol: FEBRUARY },
      ]);
      expect(standIn.books.activities.map(({ type, symbol }) => [type, symbol])).toEqual([
        ['OPASN', FEBRUARY],
        ['OPTRD', SHARE],
      ]);
    },
  );

  step('the shares are bought again, and the next call is written', async () => {
    clock.goTo('2026-02-23T14:35:00Z');
    await soon(held).toEqual({ [SHARE]: expect.any(Number), [MARCH]: -2 });
    expect(atBroker()).toEqual(await held());
  });

  step('stopped, it buys its call back and sells its shares', async () => {
    await owner.call('POST', `/api/deployments/${id}/stop/`);
    await soon(async () => (await deployment()).status).toBe('stopped');
    expect(atBroker()).toEqual({});
    const last = standIn.books.fills.slice(-2).map(({ order }) => [order.instrument.symbol, order.side]);
    expect(last).toEqual([
      [MARCH, 'buy'],
      [SHARE, 'sell'],
    ]);
  });

  test('the product’s own verification finds no violation', { timeout: 240_000 }, async () => {
    const { code, output } = await home.run('verify', [], settings);
    expect(code, output).toBe(0);
    expect((await product.stop()).code).toBe(0);
  });
});
