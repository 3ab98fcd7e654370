import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Billionths, parseBillionths } from '#units/billionths.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { coinFeeShares, coinFeesOf } from './coin-fees.ts';

const NONE = 0 as Billionths;
const inCoins = (text: string) => ({ amount: ZERO_MICRO, coins: parseBillionths(text) });
const buy = (units: number) => ({ side: 'buy', quantity: toQuantity(units), price: 40_000 }) as const;
const sell = (units: number) => ({ side: 'sell', quantity: toQuantity(units), price: 40_000 }) as const;

it('shares coins by what was bought and money by what was sold', () => {
  const fees = coinFeesOf([inCoins('0.003'), { amount: toMicro(-12) }], NONE);
  expect(coinFeeShares(fees, [buy(1), sell(3), buy(2), sell(1)])).toEqual([
    { coins: toQuantity(0.001), money: null },
    { coins: null, money: toMicro(9) },
    { coins: toQuantity(0.002), money: null },
    { coins: null, money: toMicro(3) },
  ]);
});

it('says nothing about a kind of fee that is not stated', () => {
  expect(coinFeeShares(coinFeesOf([inCoins('0.003')], NONE), [sell(1)])).toEqual([
    { coins: null, money: null },
  ]);
  expect(coinFeesOf([], NONE)).toEqual({ coins: null, money: null });
});

it('rounds what was taken over all days up, once', () => {
  const text = '0.000000014';
  expect(coinFeesOf([inCoins(text)], NONE)).toEqual({ coins: 2, money: null });
  expect(coinFeesOf([inCoins(text)], parseBillionths(text))).toEqual({ coins: 1, money: null });
  const days = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(days, (taken) => {
      let [before, booked] = [0, 0];
      for (const coins of taken) {
        const fee = { amount: ZERO_MICRO, coins: coins as Billionths };
        booked += coinFeesOf([fee], before as Billionths).coins!;
        before += coins;
      }
      expect(booked).toBe(Math.ceil(before / 10));
    }),
  );
});
