// What the stand-in for Alpaca refuses although the order is well formed, in the vendor's words. Their sources are those of
// src/adapters/broker/alpaca/refusals.ts.
import { fromMicro, toMicro } from '#units/money.ts';
import { quantityText } from '#units/quantity.ts';
import { type Instant } from '#units/instant.ts';
import type { Books } from './books.ts';
import { isOpen, type NewOrder, type Order } from './order.ts';
import { secures, takesCover } from './option-events.ts';
import { nameOf } from './instrument-named.ts';

export type Refusal = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** What the vendor says of a share; all is allowed where nothing is said. */
export type AssetTerms = {
  readonly tradable?: boolean;
  readonly fractionable?: boolean;
  readonly shortable?: boolean;
};

export type Terms = ReadonlyMap<string, AssetTerms>;

export function findRefusal(
  wanted: NewOrder,
  { books, terms, at }: { readonly books: Books; readonly terms: Terms; readonly at: Instant },
): Refusal | null {
  const { account, instrument, side, quantity } = wanted;
  const { flags } = account;
  if (flags.accountBlocked || flags.tradingBlocked || flags.status !== 'ACTIVE')
    return forbidden('account is not authorized to trade');
  if (flags.tradeSuspendedByUser) return forbidden('new orders are rejected by user request');
  if (instrument.kind === 'crypto' && flags.cryptoStatus !== 'ACTIVE')
    return unprocessable('crypto orders not allowed for account');
  const { tradable = true, fractionable = true, shortable = true } = terms.get(instrument.symbol) ?? {};
  if (!tradable) return unprocessable(`asset "${instrument.symbol}" is not tradable`);
  const isFraction = instrument.kind === 'equity' && quantity % WHOLE !== 0;
  if (isFraction && !fractionable) return unprocessable('requested asset is not fractionable');
  if (isFraction && wanted.timeInForce !== 'day')
    return unprocessable('fractional orders must be DAY orders');
  const open = books.orders.filter(
    (one) => one.account === account && one.instrument === instrument && isOpen(one),
  );
  const opposite = open.find((other) => other.side !== side && couldMeet(wanted, other));
  if (opposite) return washTrade(opposite);
  const held = books.sellable(account, instrument.symbol);
  const isCoin = instrument.kind === 'crypto';
  const leaving = open
    .filter((one) => one.side === side)
    .reduce((sum, one) => sum + one.quantity - one.filled, 0);
  const closable = side === 'sell' ? held : -held;
  if (isCoin && side === 'sell' && quantity > closable - leaving)
    return forbidden(
      `insufficient balance for ${instrument.unitCurrency} (requested: ${quantityText(quantity)}, available: ${quantityText(Math.max(0, closable - leaving) as typeof quantity)})`,
      { symbol: nameOf(instrument) },
    );
  if (closable > 0 && quantity > closable - leaving)
    return forbidden(
      `insufficient qty available for order (requested: ${quantityText(quantity)}, available: ${quantityText(Math.max(0, closable - leaving) as typeof quantity)})`,
      { symbol: instrument.symbol },
    );
  if (instrument.kind === 'equity' && side === 'sell' && wanted.stop === null && takesCover(wanted, leaving))
    return forbidden('account not eligible to trade uncovered option contracts');
  if (flags.liquidationOnly && closable <= 0) return forbidden('account is restricted to liquidation only');
  if (isFraction && costBasis(wanted, books, at) < 1)
    return forbidden('cost basis must be >= minimal amount of order 1');
  if (isCoin && costBasis(wanted, books, at) < 10)
    return forbidden('cost basis must be >= minimal amount of order 10');
  const isShort = side === 'sell' && held <= 0 && instrument.kind !== 'options';
  if (isShort && isFraction) return unprocessable('fractional orders cannot be sold short');
  if (isShort && !flags.shortingEnabled) return forbidden('account is not allowed to short');
  if (isShort && !shortable) return unprocessable(`asset "${instrument.symbol}" cannot be sold short`);
  const isOpening = closable <= 0;
  if (instrument.kind === 'options' && isOpening) {
    const level = Math.min(flags.optionsTradingLevel, flags.optionsApprovedLevel);
    if (level < (side === 'buy' ? 2 : 1))
      return forbidden('account not eligible for this options trading level');
    if (side === 'sell' && !secures(account, instrument.symbol, quantity, books.buyingPower(account, at)))
      return forbidden('account not eligible to trade uncovered option contracts');
  }
  const power = toMicro(flags.dayTradingBuyingPower);
  if (flags.patternDayTrader && isOpening && !isCoin && toMicro(costBasis(wanted, books, at)) > power)
    return insufficientBuyingPower(power);
  if (flags.isOutOfDayTrades && !isCoin && closesDayTrade(wanted, books, at))
    return {
      status: 403,
      body: { code: 40_310_100, message: 'trade denied due to pattern day trading protection' },
    };
  return null;
}

/** Dollars. */
function costBasis({ limit, stop, instrument, quantity }: NewOrder, books: Books, at: Instant): number {
  return (quantity / WHOLE) * (limit ?? stop ?? books.price(instrument.symbol, at) ?? 0);
}

export function insufficientBuyingPower(power: Parameters<typeof fromMicro>[0]): Refusal {
  return forbidden('insufficient buying power', { buying_power: String(fromMicro(power)) });
}

/** A stop or market order could trade at any price. */
function couldMeet(one: NewOrder, other: Order): boolean {
  if (one.limit === null || other.limit === null) return true;
  const [bid, ask] = one.side === 'buy' ? [one.limit, other.limit] : [other.limit, one.limit];
  return bid >= ask;
}

function washTrade(existing: Order): Refusal {
  return forbidden('potential wash trade detected. use complex orders', {
    existing_order_id: existing.id,
    reject_reason:
      existing.limit === null ? 'opposite side market/stop order exists' : 'opposite side limit order exists',
  });
}

/** An exit of what was opened on the same day. */
function closesDayTrade({ account, instrument, side }: NewOrder, books: Books, at: Instant): boolean {
  const day = new Date(at).toISOString().slice(0, 10);
  return books.fills.some(
    ({ order, at: filledAt }) =>
      order.account === account &&
      order.instrument === instrument &&
      order.side !== side &&
      new Date(filledAt).toISOString().startsWith(day),
  );
}

function forbidden(message: string, more: Readonly<Record<string, unknown>> = {}): Refusal {
  return { status: 403, body: { code: 40_310_000, message, ...more } };
}

function unprocessable(message: string): Refusal {
  return { status: 422, body: { code: 42_210_000, message } };
}

const WHOLE = 100_000_000;
