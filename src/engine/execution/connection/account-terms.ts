// What a broker lets an account do, as it says of the account itself, and whether it lets an order be sent. Promises that no
// exit is held for what a broker refuses to openings alone.
import type { InstrumentKind } from '../../market/instrument.ts';
import type { Side } from '../../order/order.ts';
import { type Micro, notional } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { addsExposure } from '../orders/exposure.ts';

/** account_blocked, trading_blocked, not_active and suspended_by_owner: no order is taken. transfers_blocked: money cannot move. */
export const STANDING_RESTRICTIONS = [
  'account_blocked',
  'trading_blocked',
  'not_active',
  'suspended_by_owner',
  'transfers_blocked',
] as const;
export type StandingRestriction = (typeof STANDING_RESTRICTIONS)[number];

export type AccountTerms = {
  readonly standing: readonly StandingRestriction[];
  /** What a pattern day trader may still open shares for today; null for an account that is none. */
  readonly dayTradingPower: Micro | null;
  readonly mayShort: boolean;
  readonly mayTradeCoins: boolean;
  /** 0: no options. 1: covered calls and cash-secured puts. 2: options are bought too. 3: spreads too. Null where none is said. */
  readonly optionsLevel: number | null;
};

export type AccountRestriction =
  | { readonly code: StandingRestriction }
  | { readonly code: 'day_trading_power' | 'no_shorting' | 'no_coins' }
  | { readonly code: 'options_level'; readonly level: number; readonly needed: number };

export type RestrictedOrder = {
  readonly kind: InstrumentKind;
  readonly multiplier: number;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly limitPrice: number;
  /** The position of its deployment, signed. */
  readonly held: Quantity;
};

/** Null when the account may send it. */
export function restrictionOf(terms: AccountTerms, order: RestrictedOrder): AccountRestriction | null {
  const { standing, mayShort, mayTradeCoins, dayTradingPower } = terms;
  const isOpening = addsExposure(order, order.held);
  const stops = standing.find((code) => isOpening || STOPS_EXITS.includes(code));
  if (stops !== undefined) return { code: stops };
  if (!isOpening) return null;
  const { kind, side, multiplier, limitPrice, held } = order;
  if (kind === 'crypto') return mayTradeCoins ? null : { code: 'no_coins' };
  if (kind === 'options') return levelRestriction(terms, order);
  if (kind !== 'equity') return null;
  const opened = quantity(order.quantity - Math.max(0, side === 'buy' ? -held : held));
  if (side === 'sell' && opened > 0 && !mayShort) return { code: 'no_shorting' };
  const isTooMuch = dayTradingPower !== null && notional(opened, limitPrice, multiplier) > dayTradingPower;
  return isTooMuch ? { code: 'day_trading_power' } : null;
}

/** Of one leg. 1: an option is written, covered by shares or cash, or bought back. 2: one is bought to be held. */
function optionLevel({ side, held }: Pick<RestrictedOrder, 'side' | 'held'>): number {
  return side === 'buy' && held >= 0 ? 2 : 1;
}

function levelRestriction({ optionsLevel }: AccountTerms, order: RestrictedOrder): AccountRestriction | null {
  const needed = optionLevel(order);
  const level = optionsLevel ?? 0;
  return level >= needed ? null : { code: 'options_level', level, needed };
}

const STOPS_EXITS: readonly StandingRestriction[] = [
  'account_blocked',
  'trading_blocked',
  'not_active',
  'suspended_by_owner',
];
