// Currency pairs: a common dollar move, a taste for risk shared with shares, an Australasian factor and each pair's
// own way; slow drifts give trends of months, and a pull towards a long-run rate keeps them plausible.
import type { DayModel, DayShape } from './day-shape.ts';
import { type Draws, draws } from './random.ts';
import { clustering, fatTailedShock } from './volatility.ts';

type CurrencyTraits = {
  readonly symbol: string;
  readonly name: string;
  readonly unit: 'EUR' | 'GBP' | 'AUD' | 'NZD' | 'USD';
  readonly quote: 'USD' | 'JPY' | 'CHF';
  readonly firstRate: number;
  readonly longRunRate: number;
  /** Loadings on the dollar's strength, the share market's surprise and the Australasian factor. */
  readonly dollar: number;
  readonly risk: number;
  readonly australasian: number;
  readonly ownVolatility: number;
  readonly priceDecimals: number;
};

export const CURRENCIES: readonly CurrencyTraits[] = [
  pair('EUR', 'USD', 'Euro / US dollar', [1.319, 1.15], [-1, 0, 0], 0.04),
  pair('GBP', 'USD', 'British pound / US dollar', [1.625, 1.34], [-0.9, 0.05, 0], 0.055),
  pair('AUD', 'USD', 'Australian dollar / US dollar', [0.86, 0.72], [-0.85, 0.16, 1], 0.03),
  pair('NZD', 'USD', 'New Zealand dollar / US dollar', [0.78, 0.66], [-0.85, 0.15, 1], 0.035),
  pair('USD', 'JPY', 'US dollar / Japanese yen', [101, 124], [0.7, 0.12, 0], 0.065),
  pair('USD', 'CHF', 'US dollar / Swiss franc', [0.93, 0.91], [0.95, 0.04, 0], 0.04),
];

/** `riskSurprise` gives the share market's surprise of a calendar day, 0 when it was closed. */
export function currencyModel(seed: number, riskSurprise: (day: number) => number): DayModel {
  const dollar = factor(DOLLAR_VOLATILITY, DOLLAR_DRIFT);
  const australasian = factor(AUSTRALASIAN_VOLATILITY, DOLLAR_DRIFT);
  const states = CURRENCIES.map((traits) => ({
    traits,
    own: factor(traits.ownVolatility, OWN_DRIFT),
    deviationFromLongRun: Math.log(traits.firstRate / traits.longRunRate),
  }));
  return {
    step(day) {
      const dollarMove = dollar(draws(seed, DOLLAR_STREAM, day));
      const australasianMove = australasian(draws(seed, AUSTRALASIAN_STREAM, day));
      return states.map((state, index): DayShape => {
        const today = draws(seed, PAIR_STREAM + index, day);
        const { traits } = state;
        const longRun = Math.log(traits.longRunRate);
        const logOpen = longRun + state.deviationFromLongRun;
        const own = state.own(today);
        state.deviationFromLongRun =
          LONG_RUN_KEEP * state.deviationFromLongRun +
          traits.dollar * dollarMove.value +
          traits.risk * riskSurprise(day) +
          traits.australasian * australasianMove.value +
          own.value;
        const deviation = Math.sqrt(
          (traits.dollar * dollarMove.deviation) ** 2 +
            (traits.australasian * australasianMove.deviation) ** 2 +
            own.deviation ** 2,
        );
        // Spot currency trades over the counter: there is no volume to report.
        return { logOpen, logClose: longRun + state.deviationFromLongRun, deviation, volume: 0 };
      });
    },
  };
}

type Move = { readonly value: number; readonly deviation: number };

function factor(volatility: number, driftDeviation: number): (today: Draws) => Move {
  const cluster = clustering();
  let drift = 0;
  return (today) => {
    const deviation = (volatility / Math.sqrt(DAYS_PER_YEAR)) * Math.sqrt(cluster.variance);
    const shock = fatTailedShock(today, 0);
    cluster.next(shock);
    drift = DRIFT_KEEP * drift + driftDeviation * Math.sqrt(1 - DRIFT_KEEP ** 2) * today.normal(1);
    return { value: drift / DAYS_PER_YEAR + deviation * shock, deviation };
  };
}

function pair(
  unit: CurrencyTraits['unit'],
  quote: CurrencyTraits['quote'],
  name: string,
  [firstRate, longRunRate]: readonly [number, number],
  [dollar, risk, australasian]: readonly [number, number, number],
  ownVolatility: number,
): CurrencyTraits {
  const priceDecimals = quote === 'JPY' ? 3 : 5;
  return {
    symbol: `${unit}${quote}`,
    name,
    unit,
    quote,
    firstRate,
    longRunRate,
    dollar,
    risk,
    australasian,
    ownVolatility,
    priceDecimals,
  };
}

const DAYS_PER_YEAR = 260;
const DOLLAR_VOLATILITY = 0.062;
const AUSTRALASIAN_VOLATILITY = 0.05;
const DOLLAR_DRIFT = 0.05;
const OWN_DRIFT = 0.02;
const DRIFT_KEEP = 0.5 ** (1 / 70);
const LONG_RUN_KEEP = 0.5 ** (1 / (2.5 * DAYS_PER_YEAR));
const DOLLAR_STREAM = 201;
const AUSTRALASIAN_STREAM = 202;
const PAIR_STREAM = 2_000;
