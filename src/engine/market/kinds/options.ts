// Options on one hundred units of their underlying. Those that settle in cash end at their exercise value. Those that
// deliver shares end in shares when they are in the money by a cent or more, and may be exercised before: both sides
// follow the same rule, so that the holder's exercise is the writer's assignment.
import { SECOND_MS } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { PositionEvent } from '../position-event.ts';
import { intrinsicValue, type OptionContract, parseOption } from '../option-contract.ts';
import { itself, type KindRules, type EndOfDay, type UnderlyingEndOfDay } from './kind-rules.ts';

export const OPTIONS: KindRules = {
  costs: { commissionRate: 0, commissionPerContract: 0.7, slippageRate: 0.01 },
  /** Of the premium; a written option is covered by its collateral, see risk/cover.ts. */
  initialMargin: 1,
  maintenanceMargin: 0,
  /** A move of one percent in the underlying is a third of a premium near the money. */
  collarFactor: 10,
  priceMaxAgeMs: 30 * SECOND_MS,
  overnight(endOfDay) {
    const { instrument, next, underlying } = endOfDay;
    const { symbol, expiry } = instrument;
    const option = parseOption(symbol);
    if (option === null || underlying === null || expiry === null) {
      throw new RangeError(`${symbol}: the end of day of an option needs its underlying`);
    }
    const ends = next > expiry;
    const worth = cents(intrinsicValue(option, underlying.close));
    if (option.settlement === 'cash') return ends ? [{ type: 'expiry', symbol, price: worth }] : [];
    const inTheMoney = { worth, underlying, ends };
    if (worth < LEAST_IN_THE_MONEY) return ends ? [{ type: 'expiry', symbol, price: 0 }] : [];
    return ends || isExercisedEarly(option, endOfDay, inTheMoney)
      ? deliver(option, endOfDay, inTheMoney)
      : [];
  },
  tradedOn: itself,
};

type InTheMoney = {
  readonly worth: number;
  readonly underlying: UnderlyingEndOfDay;
  readonly ends: boolean;
};

/**
 * A call on the evening before a dividend that exceeds the time value that exercise gives up; a put once no time value
 * is left, so that the strike earns interest in cash (Merton, Bell Journal of Economics 4, 1973).
 */
function isExercisedEarly(
  { right }: OptionContract,
  { date, next, close, isHeldToExpiry }: EndOfDay,
  { worth, underlying }: InTheMoney,
): boolean {
  if (isHeldToExpiry === true) return false;
  const timeValue = Math.max(0, close - worth);
  if (right === 'put') return timeValue < HALF_A_CENT;
  const dividend = underlying.actions
    .filter(({ kind, exDate }) => kind === 'dividend' && exDate > date && exDate <= next)
    .reduce((sum, { amount }) => sum + amount, 0);
  return dividend > timeValue;
}

/**
 * Written contracts are all assigned, and calls held are exercised. Puts held are exercised as far as there are shares
 * to deliver; the rest ends at its exercise value, so that a long-only holder never ends short of shares.
 */
function deliver(
  option: OptionContract,
  endOfDay: EndOfDay,
  { worth, underlying, ends }: InTheMoney,
): PositionEvent[] {
  const { held, instrument } = endOfDay;
  const { symbol, multiplier } = instrument;
  const deliverable = Math.floor(Math.max(0, underlying.held) / (CONTRACT * multiplier)) * CONTRACT;
  const limited = option.right === 'put' && held > 0;
  const contracts = quantity(limited ? Math.min(held, deliverable) : held);
  const rest: PositionEvent[] = ends && contracts !== held ? [{ type: 'expiry', symbol, price: worth }] : [];
  if (contracts === 0) return rest;
  const direction = option.right === 'call' ? 1 : -1;
  const delivery: PositionEvent = {
    type: held > 0 ? 'exercise' : 'assignment',
    symbol,
    contracts,
    underlying: option.underlying,
    shares: quantity(direction * contracts * multiplier),
    strike: option.strike,
    spot: underlying.close,
  };
  return [delivery, ...rest];
}

const cents = (price: number) => Math.round(price * 100) / 100;

/** One contract, in quantity's unit. */
const CONTRACT = 1e8 as Quantity;
/** What is in the money by a cent is exercised unless its holder says otherwise: Options Clearing Corporation, Rule 805. */
const LEAST_IN_THE_MONEY = 0.01;
const HALF_A_CENT = 0.005;
