import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import {
  type AccountTerms,
  restrictionOf,
  type RestrictedOrder,
  STANDING_RESTRICTIONS,
} from './account-terms.ts';

const FREE: AccountTerms = {
  standing: [],
  dayTradingPower: null,
  mayShort: true,
  mayTradeCoins: true,
  optionsLevel: null,
};
const order = (
  asked: Partial<Omit<RestrictedOrder, 'quantity' | 'held'>> & { units?: number; held?: number },
) => {
  const { units = 10, held = 0, ...rest } = asked;
  const share = { kind: 'equity', multiplier: 1, side: 'buy', limitPrice: 100 } as const;
  return { ...share, ...rest, quantity: toQuantity(units), held: toQuantity(held) };
};
const code = (terms: Partial<AccountTerms>, asked: Parameters<typeof order>[0]) =>
  restrictionOf({ ...FREE, ...terms }, order(asked))?.code ?? null;
const EXIT = { side: 'sell', held: 10 } as const;

it('lets an account without restrictions send everything but options', () => {
  expect(code({}, {})).toBeNull();
  expect(code({}, { side: 'sell' })).toBeNull();
  expect(code({}, { kind: 'crypto' })).toBeNull();
  expect(code({}, { kind: 'options' })).toBe('options_level');
});

it('a block holds every order; blocked transfers hold openings alone', () => {
  for (const one of STANDING_RESTRICTIONS) {
    expect(code({ standing: [one] }, {})).toBe(one);
    expect(code({ standing: [one] }, EXIT)).toBe(one === 'transfers_blocked' ? null : one);
  }
});

it('a pattern day trader opens shares within the day-trading buying power, and closes without', () => {
  const terms = { dayTradingPower: toMicro(900) };
  expect(code(terms, { units: 9 })).toBeNull();
  expect(code(terms, { units: 10 })).toBe('day_trading_power');
  expect(code(terms, { ...EXIT })).toBeNull();
  expect(code(terms, { units: 20, held: -15 })).toBeNull();
  expect(code(terms, { kind: 'crypto' })).toBeNull();
});

it('an account without short sales closes what it holds, and no more', () => {
  const terms = { mayShort: false };
  expect(code(terms, { side: 'sell' })).toBe('no_shorting');
  expect(code(terms, { ...EXIT, units: 20 })).toBe('no_shorting');
  expect(code(terms, EXIT)).toBeNull();
  expect(code(terms, { held: -10 })).toBeNull();
});

it('an account without coins closes those that it has', () => {
  expect(code({ mayTradeCoins: false }, { kind: 'crypto' })).toBe('no_coins');
  expect(code({ mayTradeCoins: false }, { ...EXIT, kind: 'crypto' })).toBeNull();
});

it('options are written from level 1 on and bought from level 2 on; whatever the level, they are closed', () => {
  const option = { kind: 'options', multiplier: 100, units: 1 } as const;
  expect(restrictionOf({ ...FREE, optionsLevel: 1 }, order(option))).toEqual({
    code: 'options_level',
    level: 1,
    needed: 2,
  });
  expect(code({ optionsLevel: 2 }, option)).toBeNull();
  expect(code({ optionsLevel: 0 }, { ...option, side: 'sell' })).toBe('options_level');
  expect(code({ optionsLevel: 1 }, { ...option, side: 'sell' })).toBeNull();
  expect(code({ optionsLevel: 0 }, { ...option, side: 'buy', held: -1 })).toBeNull();
  expect(code({ optionsLevel: 0 }, { ...option, side: 'sell', held: 1 })).toBeNull();
});
