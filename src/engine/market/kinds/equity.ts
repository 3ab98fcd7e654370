// Shares: whole ones, paid in full. Splits and dividends take effect between the last close with them and the next
// opening; a dividend is credited then, not on its later pay day, and is not taxed.
import { SECOND_MS } from '#units/instant.ts';
import type { PositionEvent } from '../position-event.ts';
import { itself, type KindRules } from './kind-rules.ts';

export const EQUITY: KindRules = {
  costs: { commissionRate: 0.0005, commissionPerContract: 0, slippageRate: 0.0005 },
  /** Regulation T, 12 CFR 220.12. */
  initialMargin: 0.5,
  /**
   * FINRA Rule 4210(c): 30 percent short, 25 long; long shares are paid in full here, so that the higher one is used
   * for both.
   */
  maintenanceMargin: 0.3,
  collarFactor: 1,
  priceMaxAgeMs: 60 * SECOND_MS,
  overnight({ instrument: { symbol }, actions, date, next, close }) {
    const events: PositionEvent[] = [];
    let mark = close;
    for (const { kind, exDate, amount } of actions) {
      if (exDate <= date || exDate > next) continue;
      if (kind === 'split') {
        mark /= amount;
        events.push({ type: 'split', symbol, ratio: amount, markAfter: mark });
      } else {
        mark -= amount;
        events.push({ type: 'dividend', symbol, perUnit: amount, markAfter: mark });
      }
    }
    return events;
  },
  tradedOn: itself,
};
