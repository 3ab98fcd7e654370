// Currency pairs: only profit and loss change hands, and the holder of a pair over 17:00 New York receives the interest
// of the currency held and pays that of the currency owed.
import { DAY_MS, SECOND_MS, instantOfDate } from '#units/instant.ts';
import { itself, type KindRules } from './kind-rules.ts';

export const FOREX: KindRules = {
  costs: { commissionRate: 0.00002, commissionPerContract: 0, slippageRate: 0.00004 },
  /** Twenty to one; closed out at half of it: European Securities and Markets Authority, Decision (EU) 2018/796. */
  initialMargin: 0.05,
  maintenanceMargin: 0.025,
  collarFactor: 1,
  priceMaxAgeMs: 30 * SECOND_MS,
  overnight({ instrument: { symbol, unitCurrency, currency }, held, date, next, close, rate }) {
    const difference = interestOf(unitCurrency) - interestOf(currency);
    const markup = held > 0 ? -BROKER_MARKUP : BROKER_MARKUP;
    const days = (instantOfDate(next) - instantOfDate(date)) / DAY_MS;
    const perUnit = (close * rate * (difference + markup) * days) / DAYS_OF_MONEY_MARKET_YEAR;
    return [{ type: 'swap', symbol, perUnit, markAfter: close }];
  },
  tradedOn: itself,
};

function interestOf(currency: string | null): number {
  return INTEREST[currency ?? ''] ?? 0;
}

/**
 * Interest per year used for financing: round averages of central banks' policy rates over 2013 to 2025, held constant.
 * A currency that is not listed earns and costs nothing.
 */
const INTEREST: Readonly<Record<string, number>> = {
  USD: 0.02,
  EUR: 0.009,
  GBP: 0.017,
  JPY: 0.0005,
  CHF: 0,
  AUD: 0.021,
  NZD: 0.026,
  CAD: 0.0185,
};

/** What the broker keeps on either side, per year. Interactive Brokers, benchmark ±1 percent, first tier, halved for each leg. */
const BROKER_MARKUP = 0.005;
const DAYS_OF_MONEY_MARKET_YEAR = 360;
