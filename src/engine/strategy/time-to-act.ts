// Until when a decision on bars shorter than a day may be traded.
import type { Instant } from '#units/instant.ts';
import type { TradingCalendar } from '../market/calendar.ts';
import { INTERVAL_MS, tradedMs } from '../market/session-parts.ts';
import type { StrategyDefinition } from './definition.ts';

/**
 * A target is traded for as long as its interval lasts, in the time of sessions alone: by then the next close has decided again,
 * or its bar is missing. The target of a last close is traded from the next opening on, as that of a day. Days have no limit.
 */
export function isTooLate(
  { asOf, interval }: { readonly asOf: Instant; readonly interval: StrategyDefinition['interval'] },
  calendar: TradingCalendar,
  now: Instant,
): boolean {
  if (interval === undefined) return false;
  const limitMs = INTERVAL_MS[interval];
  return tradedMs(calendar, { from: asOf, to: now, limitMs }) > limitMs;
}
