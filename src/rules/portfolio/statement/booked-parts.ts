import { type Micro, micro } from '#units/money.ts';
import type { BookedTransaction, Instruments } from './statement-books.ts';

/** The lines of a statement that a booking can change by itself. */
export type BookedLine =
  | 'moneyIn'
  | 'moneyOut'
  | 'income'
  | 'financing'
  | 'realizedGains'
  | 'costs'
  | 'performanceFees'
  | 'corrections';

/** What one booking adds to which line. */
export function partsOf(
  { cause, symbol, capital, realized, commission, fees }: BookedTransaction,
  instruments: Instruments,
): readonly (readonly [BookedLine, Micro])[] {
  const earned = micro(-realized);
  const flow = micro(-capital);
  const isOnMargin = symbol !== null && instruments.get(symbol)?.settlement === 'margin';
  return [
    [flow > 0 ? 'moneyIn' : 'moneyOut', flow],
    ['costs', micro(-commission)],
    ['performanceFees', micro(-fees)],
    ...resultOf(cause, earned, isOnMargin),
  ];
}

function resultOf(
  cause: string,
  earned: Micro,
  isOnMargin: boolean,
): readonly (readonly [BookedLine, Micro])[] {
  switch (cause) {
    case 'dividend':
    case 'dividend_figure':
      return [['income', earned]];
    case 'swap':
    case 'swap_figure':
      return [['financing', earned]];
    case 'trading_fee_figure':
      return [['costs', earned]];
    case 'fill':
    case 'expiry':
    case 'exercise':
    case 'assignment':
    case 'coin_fee':
    case 'adjustment':
      // Of what is paid in full the lots say what was gained.
      return isOnMargin ? [['realizedGains', earned]] : [];
    default:
      return [['corrections', earned]];
  }
}
