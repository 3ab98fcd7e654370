// Expiry, exercise and assignment of options at the stand-in for Alpaca, by the rules of the kind that backtests use. The vendor lists
// each as an activity without money, and the shares that move for it as a second one (OPTRD).
import { randomUUID } from 'node:crypto';
import { nextTradingDay, previousSession } from '#engine/market/calendar.ts';
import { inEndOfDayOrder } from '#engine/market/kinds/kind-rules.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import { OPTION_MULTIPLIER, parseOption } from '#engine/market/option-contract.ts';
import { isDelivery, type PositionEvent } from '#engine/market/position-event.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, micro, notional } from '#units/money.ts';
import { fromQuantity, type Quantity, quantity, toQuantity } from '#units/quantity.ts';
import type { PriceSource } from '../../market/price-source.ts';
import { instrumentOf } from './instrument-named.ts';
import type { Account, Activity, NewOrder } from './order.ts';

type Night = {
  readonly prices: PriceSource;
  readonly activities: Activity[];
  readonly stamp: (at: Instant) => string;
};

/** The close of a session of the American exchanges. */
export function passOptions(accounts: readonly Account[], closedAt: Instant, night: Night): void {
  for (const account of accounts)
    for (const symbol of inEndOfDayOrder([...account.held.keys()])) passOne(account, symbol, closedAt, night);
}

/** Somebody exercises before the expiry, and the clearing house names this writer. */
export function assign(
  account: Account,
  { symbol, contracts }: { readonly symbol: Symbol; readonly contracts: number },
  at: Instant,
  night: Night,
): void {
  const option = parseOption(symbol);
  const written = -fromQuantity(account.held.get(symbol) ?? quantity(0));
  const spot = option === null ? undefined : night.prices.quote(option.underlying, at)?.last;
  if (option === null || spot === undefined || contracts > written)
    throw new Error(`${contracts} of ${symbol} cannot be assigned: ${written} are written`);
  const direction = option.right === 'call' ? -1 : 1;
  happen(
    account,
    {
      type: 'assignment',
      symbol,
      contracts: toQuantity(-contracts),
      underlying: option.underlying,
      shares: toQuantity(direction * contracts * OPTION_MULTIPLIER),
      strike: option.strike,
      spot,
    },
    at,
    night,
  );
}

function passOne(account: Account, symbol: Symbol, at: Instant, night: Night): void {
  const option = parseOption(symbol);
  const held = account.held.get(symbol) ?? 0;
  const { prices } = night;
  const instrument = instrumentOf(prices, symbol);
  if (option === null || held === 0 || instrument === null) return;
  const { date } = previousSession('us-equity', at);
  const spot = prices.quote(option.underlying, at)?.last;
  if (spot === undefined) return;
  const actions = (prices.actions?.(at) ?? []).filter((action) => action.symbol === option.underlying);
  const events = KIND_RULES.options.overnight!({
    instrument,
    held: quantity(held),
    date,
    next: nextTradingDay('us-equity', date),
    close: prices.quote(symbol, at)?.last ?? 0,
    rate: 1,
    actions: [],
    underlying: { close: spot, actions, held: account.held.get(option.underlying) ?? quantity(0) },
  });
  for (const event of events) happen(account, event, at, night);
}

function happen(account: Account, event: PositionEvent, at: Instant, { activities, stamp }: Night): void {
  const list = (type: string, symbol: Symbol, units: number, amount = 0) =>
    activities.push({
      id: `${stamp(at)}::${randomUUID()}`,
      account,
      type,
      amount: micro(amount),
      symbol,
      units: quantity(units),
      at,
    });
  const change = (symbol: Symbol, units: number) =>
    account.held.set(symbol, quantity((account.held.get(symbol) ?? 0) + units));
  if (isDelivery(event)) {
    const { symbol, contracts, underlying, shares, strike, type } = event;
    change(symbol, -contracts);
    change(underlying, shares);
    const amount = -notional(shares, strike);
    account.cash = add(account.cash, micro(amount));
    list(type === 'exercise' ? 'OPEXC' : 'OPASN', symbol, -contracts);
    list('OPTRD', underlying, shares, amount);
    return;
  }
  if (event.type !== 'expiry') return;
  const ended = account.held.get(event.symbol) ?? quantity(0);
  account.cash = add(account.cash, notional(ended, event.price, 100));
  change(event.symbol, -ended);
  list('OPEXP', event.symbol, -ended);
}

/** Whether a sale would leave a written call without its shares. */
export function takesCover(
  { account, instrument, quantity: sold }: Pick<NewOrder, 'account' | 'instrument' | 'quantity'>,
  leaving: number,
): boolean {
  let covering = 0;
  for (const [symbol, units] of account.held) {
    const option = parseOption(symbol);
    if (option?.underlying === instrument.symbol && option.right === 'call' && units < 0)
      covering -= units * OPTION_MULTIPLIER;
  }
  return covering > 0 && (account.held.get(instrument.symbol) ?? 0) - leaving - sold < covering;
}

/** Contracts that are covered: calls by shares, puts by cash. */
export function secures(account: Account, symbol: Symbol, written: Quantity, freeCash: number): boolean {
  const option = parseOption(symbol);
  if (option === null) return false;
  const shares = [...account.held].reduce((sum, [other, units]) => {
    const one = parseOption(other);
    const isWrittenCall = one?.underlying === option.underlying && one.right === 'call' && units < 0;
    return sum + (other === option.underlying ? units : isWrittenCall ? units * 100 : 0);
  }, 0);
  if (option.right === 'call') return shares >= written * 100;
  return freeCash >= notional(written, option.strike, 100);
}
