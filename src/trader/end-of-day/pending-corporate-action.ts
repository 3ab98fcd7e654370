import { nextTradingDay } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { TradingContext } from '../trading-context.ts';

/** Whether a split or a dividend parts the last close from the price of now, which is then the one to size and to value with. */
export function hasPendingCorporateAction(
  symbol: Symbol,
  date: IsoDate,
  { actions, instruments }: TradingContext,
): boolean {
  const calendar = instruments.get(symbol)?.calendar ?? 'us-equity';
  const next = nextTradingDay(calendar, date);
  return actions.get(symbol)?.some(({ exDate }) => exDate > date && exDate <= next) ?? false;
}
