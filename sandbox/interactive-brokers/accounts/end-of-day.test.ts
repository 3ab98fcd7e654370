import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, parseInstant } from '#units/instant.ts';
import { fromMicro, micro, toMicro } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import { withFutures } from '../../market/futures-market.ts';
import { withOptionMarket } from '../../market/option-market.ts';
import { withShareActions } from '../../market/share-actions.ts';
import { simulatedMarket } from '../../market/simulated-market.ts';
import { openAccountBook } from './account-book.ts';
import { listContracts } from '../market-data/contract-list.ts';
import { openDatabase } from '../database.ts';
import { createMatching } from '../orders/matching.ts';
import { createEndOfDay } from './end-of-day.ts';
import { openOrderBook } from '../orders/order-book.ts';
import { createOrderEntry } from '../orders/order-entry.ts';

const prices = withOptionMarket(withFutures(withShareActions(simulatedMarket(7))));
const contracts = listContracts(prices.instruments);
const START_CASH = 1_000_000;

function openBooks(start: Instant) {
  const database = openDatabase(':memory:');
  database
    .prepare('INSERT INTO accounts (account_id, title, cash_micro) VALUES (?, ?, ?)')
    .run('DU1', 'Test', toMicro(START_CASH));
  const accounts = openAccountBook(database, contracts, prices);
  const orders = openOrderBook(database, () => 0);
  const matching = createMatching({ database, contracts, prices, accounts, orders });
  const entry = createOrderEntry({ database, contracts, accounts, orders, matching, realNow: () => 0 });
  const endOfDay = createEndOfDay({ database, contracts, prices, accounts, orders });
  const passTo = (to: Instant) => endOfDay.passUntil(to, () => undefined);
  passTo(start);
  const buy = (symbol: string, units: number, at = start) => {
    const { instrument } = contracts.bySymbol(symbol);
    const price = accounts.price(symbol, at)!;
    accounts.apply('DU1', instrument, { quantity: toQuantity(units), price, commission: micro(0), at });
    return price;
  };
  const units = (symbol: string) => fromQuantity(accounts.position('DU1', symbol).quantity);
  const cash = (at: Instant) => fromMicro(accounts.value('DU1', at).cash);
  const net = (at: Instant) => fromMicro(accounts.value('DU1', at).netLiquidation);
  const realized = (symbol: string) => fromMicro(accounts.position('DU1', symbol).realized);
  return { working: () => orders.working.all(), entry, passTo, buy, units, cash, net, realized };
}

describe('a night at the brokerage', () => {
  it('doubles the shares in a split, once, and does not change the account’s value', () => {
    const close = parseInstant('2026-02-06T21:00:00Z');
    const books = openBooks(instant(close - HOUR_MS));
    books.buy('QLBR', 100);
    const before = books.net(instant(close - 1));
    books.passTo(close);
    expect(books.units('QLBR')).toBe(200);
    expect(Math.abs(books.net(instant(close + HOUR_MS)) - before)).toBeLessThan(before * 0.002);
    books.passTo(instant(close + 3 * DAY_MS));
    expect(books.units('QLBR')).toBe(200);
  });

  it('cancels GTC orders when their instrument splits, and no other orders', () => {
    const close = parseInstant('2026-02-06T21:00:00Z');
    const at = instant(close - HOUR_MS);
    const books = openBooks(at);
    for (const symbol of ['QLBR', 'BWMKT']) {
      books.buy(symbol, 10);
      const { conid } = contracts.bySymbol(symbol);
      const ticket = { conid, side: 'SELL', orderType: 'STP', auxPrice: 1, tif: 'GTC', quantity: 10 };
      const asked = books.entry.submit('DU1', ticket, at, { id: 'S', suppressed: new Set(['o10331']) });
      expect(asked.kind).toBe('accepted');
    }
    books.passTo(close);
    expect(books.working().map(({ symbol }) => symbol)).toEqual(['BWMKT']);
  });

  it('pays the dividend on positions at the last close before the ex-date', () => {
    const books = openBooks(parseInstant('2026-05-07T12:00:00Z'));
    const price = books.buy('TLCO', 100);
    books.passTo(parseInstant('2026-05-12T12:00:00Z'));
    const { amount } = prices.actions!(parseInstant('2026-05-12T12:00:00Z')).findLast(
      ({ symbol }) => symbol === 'TLCO',
    )!;
    expect(books.cash(parseInstant('2026-05-12T12:00:00Z'))).toBeCloseTo(
      START_CASH - 100 * price + 100 * amount,
      6,
    );
  });

  it('settles a future in cash at its last close', () => {
    const books = openBooks(parseInstant('2026-03-18T16:00:00Z'));
    const price = books.buy('BWSX.2026H', -4);
    books.passTo(parseInstant('2026-03-25T12:00:00Z'));
    const end = prices.quote('BWSX.2026H' as Symbol, parseInstant('2026-03-25T12:00:00Z'))!.last;
    expect(books.units('BWSX.2026H')).toBe(0);
    expect(books.cash(parseInstant('2026-03-25T12:00:00Z'))).toBeCloseTo(
      START_CASH - 4 * 5 * (end - price),
      6,
    );
  });

  it('assigns a written option, the same whether the clock jumps or crawls', () => {
    const outcomes = [DAY_MS / 3, 40 * DAY_MS].map((stride) => {
      const start = parseInstant('2026-02-10T16:00:00Z');
      const books = openBooks(start);
      const premium = books.buy('BWMKT.260220P400', -2);
      const end = parseInstant('2026-03-01T00:00:00Z');
      for (let at: number = start; at < end; at += stride) books.passTo(instant(at));
      books.passTo(end);
      expect(books.units('BWMKT.260220P400')).toBe(0);
      expect(books.units('BWMKT')).toBe(200);
      expect(books.cash(end)).toBeCloseTo(START_CASH + 200 * premium - 200 * 400, 6);
      return books.net(end);
    });
    expect(new Set(outcomes).size).toBe(1);
  });

  it('calls shares away at the strike, with the premium in the proceeds', () => {
    const start = parseInstant('2026-02-10T16:00:00Z');
    const books = openBooks(start);
    const paid = books.buy('BWMKT', 250);
    const premium = books.buy('BWMKT.260220C250', -2);
    const end = parseInstant('2026-02-23T12:00:00Z');
    books.passTo(end);
    expect(books.units('BWMKT')).toBe(50);
    expect(books.units('BWMKT.260220C250')).toBe(0);
    expect(books.cash(end)).toBeCloseTo(START_CASH - 250 * paid + 200 * premium + 200 * 250, 6);
    expect(books.realized('BWMKT')).toBeCloseTo(200 * (250 + premium - paid), 6);
    expect(books.realized('BWMKT.260220C250')).toBe(0);
  });

  it('assigns a call before a dividend above its time value: called shares get no dividend', () => {
    const books = openBooks(parseInstant('2026-05-07T12:00:00Z'));
    const paid = books.buy('TLCO', 250);
    const strike = Math.floor((paid * 0.8) / 2) * 2;
    const call = `TLCO.260515C${strike}`;
    const premium = books.buy(call, -2);
    const end = parseInstant('2026-05-12T12:00:00Z');
    books.passTo(end);
    const { amount } = prices.actions!(end).findLast(({ symbol }) => symbol === 'TLCO')!;
    expect(books.units(call)).toBe(0);
    expect(books.units('TLCO')).toBe(50);
    expect(books.cash(end)).toBeCloseTo(
      START_CASH - 250 * paid + 200 * premium + 200 * strike + 50 * amount,
      6,
    );
  });

  it('settles a written option in cash at its exercise value, the same whether the clock jumps or crawls', () => {
    const outcomes = [DAY_MS / 3, 40 * DAY_MS].map((stride) => {
      const start = parseInstant('2026-02-10T16:00:00Z');
      const books = openBooks(start);
      books.buy('BWMKT.260220P335E', -2);
      const end = parseInstant('2026-03-01T00:00:00Z');
      for (let at: number = start; at < end; at += stride) books.passTo(instant(at));
      books.passTo(end);
      expect(books.units('BWMKT.260220P335E')).toBe(0);
      return books.cash(end);
    });
    expect(new Set(outcomes).size).toBe(1);
  });
});

describe('a written option', () => {
  const start = parseInstant('2026-02-10T16:00:00Z');
  const write = (books: ReturnType<typeof openBooks>, symbol: string, contractsSold: number) =>
    books.entry.submit(
      'DU1',
      {
        acctId: 'DU1',
        conid: contracts.bySymbol(symbol).conid,
        side: 'SELL',
        orderType: 'LMT',
        price: prices.quote(symbol as Symbol, start)!.bid,
        quantity: contractsSold,
        tif: 'DAY',
      },
      start,
      { id: 'S', suppressed: new Set(['o163']) },
    ).kind;

  it('is accepted as a call as far as shares cover it, and beyond that only against free cash of their value', () => {
    const books = openBooks(start);
    const price = books.buy('BWMKT', 2_000);
    expect(START_CASH - 2_000 * price).toBeGreaterThan(0);
    expect(write(books, 'BWMKT.260220C345', 20)).toBe('accepted');
    expect(write(books, 'BWMKT.260220C345', 25)).toBe('refused');
  });

  it('is accepted as a put as far as cash covers its strike', () => {
    const books = openBooks(start);
    expect(write(books, 'BWMKT.260220P320', 25)).toBe('accepted');
    expect(write(books, 'BWMKT.260220P320', 25)).toBe('refused');
  });

  it('has a contract id that identifies it', () => {
    for (const symbol of ['BWMKT.260220P320', 'BWMKT.260220P320E', 'TLCO.260220C44']) {
      const { conid, instrument } = contracts.bySymbol(symbol);
      expect(contracts.byConid(conid)?.instrument).toEqual(instrument);
    }
  });
});
