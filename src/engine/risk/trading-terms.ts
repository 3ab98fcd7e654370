import { TRADING_COSTS } from '../market/costs.ts';
import type { Instrument } from '../market/instrument.ts';
import type { TradingTerms } from '../deployment-state.ts';
import type { Symbol } from '#units/identifiers.ts';

/** The terms on which the trader sizes orders. They are the backtest's too; see the definition of each there. */
export function tradingTerms(instruments: ReadonlyMap<Symbol, Instrument>): TradingTerms {
  return { instruments, costs: TRADING_COSTS, collar: COLLAR, noTradeBand: NO_TRADE_BAND };
}

/** An order decided after a close fills at the next opening, unless the price has run further than this. */
const COLLAR = 0.03;
/** Smaller differences than this share of equity would cost more commission than they are worth. */
const NO_TRADE_BAND = 0.005;
