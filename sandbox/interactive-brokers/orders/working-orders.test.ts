import { expect, test } from 'vitest';
import { chanceOf } from '#tests/simulation/chance.ts';
import { instant } from '#units/instant.ts';
import { micro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { atomically, openDatabase } from '../database.ts';
import { openOrderBook, type OrderBook } from './order-book.ts';

const SYMBOLS = ['BWMKT', 'BWTEC', 'BTC'];

function newOrder(n: number, symbol: string) {
  return {
    accountId: 'DU1',
    clientOrderId: `order-${n}`,
    symbol,
    side: 'BUY',
    orderType: 'LMT',
    price: 100,
    timeInForce: 'DAY',
    quantity: quantity(10),
    submittedAt: instant(n),
    expiresAt: null,
    sessionId: null,
  } as const;
}

/** What the database says, to a book that has just been opened. */
function read(book: OrderBook) {
  const { working } = book;
  return {
    all: working.all(),
    symbols: [...working.symbols()].toSorted(),
    cancelling: Array.from(working.cancelling(), ({ orderId }) => orderId).toSorted(),
  };
}

test.each([1, 2, 3, 4])(
  'what works is as the rows say, after any changes and undone transactions: seed %i',
  (seed) => {
    const chance = chanceOf(seed, 0);
    const database = openDatabase(':memory:');
    database.exec("INSERT INTO accounts (account_id, title, cash_micro) VALUES ('DU1', 'A', 0)");
    const now = () => 1;
    const book = openOrderBook(database, now);
    let undone = 0;
    for (let n = 1; n <= 150; n++) {
      const change = () => {
        const working = book.working.all();
        const one = working.length === 0 ? null : chance.pick(working);
        const kind = chance.pick(['add', 'add', 'part', 'fill', 'end', 'cancel']);
        if (one === null || kind === 'add') return void book.add(newOrder(n, chance.pick(SYMBOLS)));
        const at = instant(n);
        if (kind === 'end') return book.end(one, at, '');
        if (kind === 'cancel') return book.mark(one.orderId, { cancelAt: at });
        const left = one.quantity - one.filled;
        const part = quantity(kind === 'fill' ? left : 1);
        return book.fill(one, { quantity: part, price: 100, commission: micro(0), at });
      };
      const fails = chance.pick([true, false, false, false]);
      try {
        atomically(database, () => {
          change();
          if (chance.pick([true, false])) book.working.all();
          if (fails) throw new Error('undone');
        });
      } catch (error) {
        expect(String(error)).toBe('Error: undone');
        undone += 1;
      }
      expect(read(book)).toEqual(read(openOrderBook(database, now)));
    }
    expect(undone).toBeGreaterThan(10);
  },
);
