// Fees of trades in coins at the stand-in for Alpaca, by the vendor's guide: 25 basis points of what one receives, in coins for a
// purchase and in dollars for a sale, listed for each trade at the end of the day. The guide does not say when the day ends nor
// whether the coins leave before: here it ends at midnight in New York, and both can be tried.
import { randomUUID } from 'node:crypto';
import { newYorkDate, newYorkInstant } from '#engine/market/calendar-new-york-time.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Billionths } from '#units/billionths.ts';
import { addDays, type Instant } from '#units/instant.ts';
import { type Micro, micro, notional, scale, subtract } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { Account, Activity, Fill } from './order.ts';

export type CoinFees = {
  charge(fill: Fill): void;
  /** Lists those of days that have ended. */
  post(to: Instant): void;
  /** What the account could sell: not the coins that fees will take. */
  sellable(account: Account, symbol: Symbol): Quantity;
};

export type CoinFeeTerms = {
  /** 'fill': coins and dollars leave with the trade, and are listed at the end of the day all the same. */
  leave: 'day_end' | 'fill';
  /** 25 until half a million dollars were traded in thirty days, then less in steps. */
  basisPoints: number;
};

type Due = {
  readonly fill: Fill;
  readonly coins: Billionths;
  readonly dollars: Micro;
  readonly postsAt: Instant;
};

export function createCoinFees(
  activities: Activity[],
  terms: CoinFeeTerms,
  stamp: (at: Instant) => string,
): CoinFees {
  const due: Due[] = [];
  const take = ({ fill: { order }, coins, dollars }: Due) => {
    const { account, instrument } = order;
    account.taken.set(instrument.symbol, ((account.taken.get(instrument.symbol) ?? 0) + coins) as Billionths);
    account.cash = subtract(account.cash, dollars);
  };
  return {
    charge(fill) {
      const { order, price, quantity: units, at } = fill;
      const isBuy = order.side === 'buy';
      const one = {
        fill,
        coins: (isBuy ? Math.ceil((units * terms.basisPoints) / 1_000) : 0) as Billionths,
        dollars: isBuy ? micro(0) : scale(notional(units, price), terms.basisPoints / 10_000),
        postsAt: newYorkInstant(addDays(newYorkDate(at), 1), 0),
      };
      if (terms.leave === 'fill') take(one);
      due.push(one);
    },
    post(to) {
      while (due.length > 0 && due[0]!.postsAt <= to) {
        const one = due.shift()!;
        if (terms.leave === 'day_end') take(one);
        activities.push(activityOf(one, stamp(one.postsAt)));
      }
    },
    sellable(account, symbol) {
      const leaving = due
        .filter(({ fill: { order } }) => order.account === account && order.instrument.symbol === symbol)
        .reduce((sum, { coins }) => sum + coins, 0);
      const held = coinsHeld(account, symbol) - (terms.leave === 'day_end' ? leaving : 0);
      return quantity(Math.floor(held / 10));
    },
  };
}

export function coinsHeld(account: Account, symbol: Symbol): Billionths {
  return ((account.held.get(symbol) ?? 0) * 10 - (account.taken.get(symbol) ?? 0)) as Billionths;
}

function activityOf({ fill, coins, dollars, postsAt }: Due, stamp: string): Activity {
  const { order, price, at } = fill;
  const { account, instrument } = order;
  return {
    id: `${stamp}::${randomUUID()}`,
    account,
    symbol: instrument.symbol,
    at: postsAt,
    date: newYorkDate(at),
    units: null,
    ...(coins > 0
      ? {
          type: 'CFEE',
          description: 'Coin Pair Transaction Fee (Non USD)',
          amount: micro(0),
          coins,
          price,
        }
      : { type: 'FEE', description: 'Coin Pair Transaction Fee (USD)', amount: micro(-dollars) }),
  };
}

export const FIRST_TIER: CoinFeeTerms = { leave: 'day_end', basisPoints: 25 };
