// The vendor's calendar against our rules, from its stand-in through the trader to a practice account: a half day and a closure
// that no rule names.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { practice } from '#adapters/broker/practice/practice.ts';
import { hours, nextTradingDay } from '#engine/market/calendar.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import { FEEDS } from '#tests/conformance/market-data/feed-columns.ts';
import { NO_MODELS } from '#tests/support/no-models.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { createTrader } from '#trader/trader.ts';
import type { Symbol } from '#units/identifiers.ts';
import { HOUR_MS, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { wallInstant } from '#units/wall-instant.ts';

const handle = await testDatabase();
const vendor = await FEEDS.find(({ name }) => name === 'Alpaca')!.open();
const all = await vendor.feed.instruments();
if (!all.ok) throw new Error(all.message);
const listed = all.value.filter(({ symbol }) => symbol === vendor.share);
await saveInstruments(handle.database, listed, 'live');
/** Of one share, so that few bars are read. */
const feed: MarketDataFeed = {
  ...vendor.feed,
  instruments: () => Promise.resolve({ ok: true, value: listed }),
  corporateActions: () => Promise.resolve({ ok: true, value: [] }),
  vendors: [],
};
const venue = practice({
  store: practiceStore(handle.database),
  feed,
  findInstrument: (symbol) => listed.find((one) => one.symbol === symbol) ?? null,
});
let real = 1_000_000;
const problems: string[] = [];
const trader = createTrader({
  handle: { ...handle, close: () => Promise.resolve() },
  brokers: [venue],
  marketData: feed,
  models: NO_MODELS,
  openCredentials: () => ({}) as never,
  logger: {
    info: () => undefined,
    warn: (_: object, said: string) => void problems.push(said),
    error: (_: object, said: string) => void problems.push(said),
  },
  newId: randomUUID,
  realNow: () => wallInstant((real += 1)),
  steadyMs: () => performance.now(),
});
afterAll(async () => {
  await trader.close();
  await vendor.close();
});

const MONDAY = '2026-11-23' as IsoDate;
const TUESDAY = '2026-11-24' as IsoDate;
const NEXT_MONDAY = '2026-11-30' as IsoDate;
const NEXT_TUESDAY = '2026-12-01' as IsoDate;
const closeOf = (date: IsoDate) => hours('us-equity', date).closesAt;

/** The last day whose end has been processed, and the close of the newest bar of a share. */
async function at(now: number) {
  await vendor.moveTo(instant(now));
  // On a busy machine the stand-in may take longer than the feed waits.
  for (let looks = 0, tries = 0; looks < 2 && tries < 20; tries++) {
    real += 60_000;
    const before = problems.length;
    await trader.tick();
    if (!problems.slice(before).some((one) => one.includes('unreachable'))) looks += 1;
  }
  const { rows } = await handle.pool.query<{ date: string; closed: Date }>(
    `select (select max(date)::text from processed_sessions where calendar = 'us-equity') as date,
            (select max(closed_at) from bars where symbol = $1) as closed`,
    [vendor.share],
  );
  return { processed: rows[0]!.date, newest: rows[0]!.closed.getTime() };
}

/** When a day order of a practice account that is placed now ends. */
async function orderEndsAt(symbol: Symbol) {
  const opened = await venue.openAccount({ cash: toMicro(10_000) });
  if (opened.outcome === 'failed') throw new Error(opened.reason);
  const { accountId, credentials } = opened.value;
  const session = await venue.openSession(credentials);
  if (session.outcome === 'failed') throw new Error(session.reason);
  const order = { symbol, side: 'buy', quantity: toQuantity(1), limitPrice: 1 };
  const sent = { ...order, clientOrderId: randomUUID() } as unknown as ApprovedOrder;
  expect(await session.value.submitOrder(accountId, sent, {})).toMatchObject({ outcome: 'accepted' });
  const { rows } = await handle.pool.query<{ ends: Date }>(
    'select max(expires_at) as ends from practice_orders where account_id = $1',
    [accountId],
  );
  return rows[0]!.ends.getTime();
}

// Ten years of bars are read first.
beforeAll(() => trader.tick(), 120_000);

test('a half day that no rule names ends at its close: its bar, its end of day and the day of an order', async () => {
  const usual = closeOf(TUESDAY);
  const early = usual - 3 * HOUR_MS;
  vendor.closeEarlyOn(TUESDAY);
  expect(await at(closeOf(MONDAY) + 30 * MINUTE_MS)).toEqual({ processed: MONDAY, newest: closeOf(MONDAY) });
  expect((await at(early - MINUTE_MS)).processed).toBe(MONDAY);
  expect(await at(early + 30 * MINUTE_MS)).toEqual({ processed: TUESDAY, newest: early });
  expect(await orderEndsAt(vendor.share)).toBe(closeOf(nextTradingDay('us-equity', TUESDAY)));
});

test('a closure that no rule names ends with the day before it, and nothing is awaited or ordered for it', async () => {
  vendor.closeOn(NEXT_TUESDAY);
  expect(await at(closeOf(NEXT_MONDAY) + 30 * MINUTE_MS)).toEqual({
    processed: NEXT_TUESDAY,
    newest: closeOf(NEXT_MONDAY),
  });
  expect(await at(closeOf(NEXT_TUESDAY) - HOUR_MS)).toEqual({
    processed: NEXT_TUESDAY,
    newest: closeOf(NEXT_MONDAY),
  });
  expect(await orderEndsAt(vendor.share)).toBe(closeOf(nextTradingDay('us-equity', NEXT_TUESDAY)));
  expect(problems.filter((one) => !/vendor says|unreachable/.test(one))).toEqual([]);
});
