// What a broker charges for a day's trades in one coin, shared among these trades: coins by what was bought, money by what was
// sold. Promises that the shares add up, and that the coins booked over all days are what was taken, rounded up once: the
// account holds no less than the books.
import { apportion } from '#units/apportion.ts';
import { type Billionths, coveringQuantity } from '#units/billionths.ts';
import { add, type Micro, micro, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { CashActivity } from './cash-activity.ts';

export type CoinFees = {
  /** Null while the broker has stated none. */
  readonly coins: Quantity | null;
  /** A cost is positive. Null while the broker has stated none. */
  readonly money: Micro | null;
};

type StatedFee = Pick<CashActivity, 'amount' | 'coins'>;

/** Of one day; `before`: the coins of all earlier days. */
export function coinFeesOf(stated: readonly StatedFee[], before: Billionths): CoinFees {
  const coins = quantity(coveringQuantity(plus(before, coinsOf(stated))) - coveringQuantity(before));
  const inMoney = stated.filter(({ amount }) => amount !== 0);
  return {
    coins: stated.some((one) => one.coins !== undefined && one.coins !== 0) ? coins : null,
    money: inMoney.length > 0 ? micro(-add(ZERO_MICRO, ...inMoney.map(({ amount }) => amount))) : null,
  };
}

export type CoinTrade = {
  readonly side: 'buy' | 'sell';
  readonly quantity: Quantity;
  readonly price: number;
};

/** What of the fees a trade bears; null of a kind that is not stated, or that it does not bear. */
export type CoinFeeShare = { readonly coins: Quantity | null; readonly money: Micro | null };

/** In the order of the trades. Where nothing was bought, or sold, that part is nobody's: the owner bears it. */
export function coinFeeShares(fees: CoinFees, trades: readonly CoinTrade[]): readonly CoinFeeShare[] {
  const sizes = (side: CoinTrade['side']) => trades.map((one) => (one.side === side ? one.quantity : 0));
  const coins = fees.coins === null ? null : apportion(fees.coins, sizes('buy'));
  const worths = trades.map(({ side, price, quantity: units }) =>
    side === 'sell' ? Math.round((units / WORTH_STEP) * price) : 0,
  );
  const money = fees.money === null ? null : apportion(fees.money, worths);
  return trades.map(({ side }, place) => ({
    coins: side === 'buy' && coins !== null ? quantity(coins[place]!) : null,
    money: side === 'sell' && money !== null ? micro(money[place]!) : null,
  }));
}

function coinsOf(stated: readonly Pick<CashActivity, 'coins'>[]): Billionths {
  return stated.reduce((sum, { coins }) => plus(sum, coins), 0 as Billionths);
}

function plus(sum: Billionths, more: Billionths = 0 as Billionths): Billionths {
  return (sum + more) as Billionths;
}

/** To cents: a weight has to be whole. */
const WORTH_STEP = 1_000_000;
