// Whether a practice account can carry one more order, by the initial margins of the engine. What only reduces a position
// needs none.
import { type Micro, add, micro, notional, scale, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { Symbol } from '#units/identifiers.ts';
import { commissionOf, TRADING_COSTS } from '../market/costs.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import { KIND_RULES } from '../market/kinds/rules-of.ts';
import { parseOption } from '../market/option-contract.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { dollarsPerQuote, hasRate } from '../portfolio/quote-rate.ts';
import { valuePortfolio, valuePosition } from '../portfolio/value.ts';
import { openQuantity, type PracticeAccount, type PracticeOrder } from './practice-account.ts';

export type Valuation = { readonly marks: Marks; readonly instruments: ReadonlyMap<Symbol, Instrument> };

export type BuyingPower = { readonly needed: Micro; readonly available: Micro };

/** Whether what is held and ordered has a price, and its currency a rate; and so has what is about to be ordered. */
export function isPriced(
  { portfolio, working }: PracticeAccount,
  more: readonly Symbol[],
  { marks, instruments }: Valuation,
): boolean {
  const symbols = [...more, ...portfolio.positions.keys(), ...working.map((order) => order.symbol)];
  return symbols.every((one) => {
    const instrument = instruments.get(one);
    return instrument !== undefined && marks.has(one) && hasRate(instrument, marks);
  });
}

/** Throws RangeError when something held or ordered is not priced. */
export function buyingPower(
  account: PracticeAccount,
  order: PracticeOrder,
  valuation: Valuation,
): BuyingPower {
  const { portfolio, working } = account;
  const { equity } = valuePortfolio(portfolio, valuation.marks, valuation.instruments);
  const reserved = working.map((one, nth) =>
    requirement(portfolio, one, { ...valuation, earlier: working.slice(0, nth) }),
  );
  const available = micro(equity - boundBy(portfolio, valuation) - add(ZERO_MICRO, ...reserved));
  return { needed: requirement(portfolio, order, { ...valuation, earlier: working }), available };
}

/** Initial margin of what is held. A written put binds its strike; a written call is covered by shares. */
function boundBy({ positions }: Portfolio, { marks, instruments }: Valuation): Micro {
  let bound = 0;
  for (const position of positions.values()) {
    const instrument = known(instruments, position.symbol);
    const option = parseOption(position.symbol);
    if (option !== null && position.quantity < 0) {
      if (option.right === 'put')
        bound += notional(quantity(-position.quantity), option.strike, instrument.multiplier);
      continue;
    }
    const value = valuePosition(position, known(marks, position.symbol), instrument, marks);
    bound += scale(micro(Math.abs(value.notional)), KIND_RULES[instrument.kind].initialMargin);
  }
  return micro(bound);
}

/** What `earlier` orders close, this one cannot close again. */
function requirement(
  portfolio: Portfolio,
  order: PracticeOrder,
  { marks, instruments, earlier }: Valuation & { readonly earlier: readonly PracticeOrder[] },
): Micro {
  const { symbol, side } = order;
  const instrument = known(instruments, symbol);
  const held = portfolio.positions.get(symbol)?.quantity ?? 0;
  const leaving = earlier
    .filter((one) => one.symbol === symbol && one.side === side)
    .reduce((sum, one) => sum + openQuantity(one), 0);
  const closes = held !== 0 && held > 0 !== (side === 'buy') ? Math.max(0, Math.abs(held) - leaving) : 0;
  const opens = quantity(Math.max(0, openQuantity(order) - closes));
  if (opens === 0) return ZERO_MICRO;
  const price = Math.max(order.limitPrice ?? 0, known(marks, symbol));
  const rate = dollarsPerQuote(instrument, price, marks);
  const commission = commissionOf({ quantity: opens, price }, instrument, { costs: TRADING_COSTS, rate });
  if (side === 'sell' && parseOption(symbol) !== null)
    return add(writtenMargin(portfolio, { symbol, opens }, { marks, instruments }), commission);
  const worth = scale(notional(opens, price, instrument.multiplier), rate);
  return add(scale(worth, KIND_RULES[instrument.kind].initialMargin), commission);
}

/** A written put is secured by its strike in cash, a written call by shares; what they do not cover needs their full value. */
function writtenMargin(
  { positions }: Portfolio,
  { symbol, opens }: { readonly symbol: Symbol; readonly opens: Quantity },
  { marks, instruments }: Valuation,
): Micro {
  const option = parseOption(symbol)!;
  const { multiplier } = known(instruments, symbol);
  if (option.right === 'put') return notional(opens, option.strike, multiplier);
  const shares = positions.get(option.underlying)?.quantity ?? 0;
  const written = positions.get(symbol)?.quantity ?? 0;
  const uncovered = Math.max(0, (opens - Math.min(0, written)) * multiplier - Math.max(0, shares));
  return uncovered === 0 ? ZERO_MICRO : notional(quantity(uncovered), known(marks, option.underlying));
}

function known<Value>(map: ReadonlyMap<Symbol, Value>, symbol: Symbol): Value {
  const found = map.get(symbol);
  if (found === undefined) throw new RangeError(`${symbol} has no price or is no instrument`);
  return found;
}
