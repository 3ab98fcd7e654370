// Strategies with small swings, for people whose risk score is 1 or 2. Their returns are small too, and their texts say so.
import { type EarlierTries, LANGUAGE, type Listing } from '../../seed/catalogue/listing.ts';
import { yearlyTrend } from './currency-listings.ts';

const FUNDS = ['BWMKT', 'BWBND', 'BWGLD'];

const ABOVE_AVERAGE = {
  features: { trend: { indicator: 'sma', length: 200 } },
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 'trend' },
    exitLong: { op: 'below', left: 'close', right: 'trend' },
  },
} as const;

/** Every rule over the three funds that was tried before two of them were chosen. */
const FUND_TRIES: EarlierTries = {
  periods: 3_270,
  tries: [
    { model: 'none', rules: 'above the 200-day average, volatility target 3%', sharpe: 0.6809 },
    { model: 'none', rules: 'above the 200-day average, volatility target 6%', sharpe: 0.6795 },
    { model: 'none', rules: 'always held, volatility target 3%', sharpe: 0.6867 },
    { model: 'none', rules: 'always held, volatility target 6%', sharpe: 0.6917 },
    { model: 'none', rules: 'always held, 10% stocks, 20% bonds, 10% gold', sharpe: 0.5993 },
    { model: 'none', rules: 'always held, 20% stocks, 30% bonds, 10% gold', sharpe: 0.5845 },
    { model: 'none', rules: 'above the 200-day average, 15% stocks, 15% bonds, 10% gold', sharpe: 0.6894 },
  ],
};

const stillWater: Listing = {
  slug: 'still-water',
  name: 'Still Water',
  shortDescription:
    'Keeps at least three fifths in cash; the rest in stocks, bonds and gold while they rise.',
  description:
    'At most 15% of the money is in US stocks, 15% in Treasury bonds and 10% in gold, each only while its fund closes above its 200-day average, looked at once a month. The rest is cash, always. It is made for money that must not fall much: in the simulated market its worst fall was about 4%, and it earned little more than one percent a year, which a savings account may beat.',
  kind: 'equity',
  strategyType: 'trend_following',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  earlierTries: FUND_TRIES,
  definition: {
    language: LANGUAGE,
    name: 'Still Water',
    notes:
      'After M. Faber, A Quantitative Approach to Tactical Asset Allocation, Journal of Wealth Management, 2007, with most of the money in cash.',
    universe: FUNDS,
    benchmark: 'BWMKT',
    schedule: { every: 'month' },
    ...ABOVE_AVERAGE,
    weighting: { type: 'fixed', weights: { BWMKT: 0.15, BWBND: 0.15, BWGLD: 0.1 } },
  },
};

const evenKeel: Listing = {
  slug: 'even-keel',
  name: 'Even Keel',
  shortDescription: 'Stocks, bonds and gold while they rise, sized so that the swings stay small.',
  description:
    'Each of three broad funds is held while it closes above its 200-day average, with a size that shrinks when its swings grow, so that the whole aims at a yearly volatility of 6%. Usually less than half of the money is invested. In the simulated market it earned about two percent a year and fell about 6% at worst. When prices cross their average back and forth, it loses a little each time.',
  kind: 'equity',
  strategyType: 'trend_following',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  earlierTries: FUND_TRIES,
  definition: {
    language: LANGUAGE,
    name: 'Even Keel',
    notes:
      'Trend after M. Faber, Journal of Wealth Management, 2007; sizes after A. Moreira and T. Muir, Volatility-Managed Portfolios, Journal of Finance, 2017.',
    universe: FUNDS,
    benchmark: 'BWMKT',
    schedule: { every: 'month' },
    ...ABOVE_AVERAGE,
    weighting: { type: 'volatility_target', length: 63, annualPercent: 6, over: 'universe' },
  },
};

const slowCurrent: Listing = {
  slug: 'slow-current-fx',
  name: 'Slow Current FX',
  shortDescription: 'The yearly trend of six currency pairs, up or down, in small positions.',
  description:
    'The rule of Meridian FX at a third of its risk: a pair above its level of twelve months ago is held long, one below it short, resized every month so that the whole aims at a yearly volatility of 3%. It has little to do with shares. In the simulated market it earned about half a percent a year and once took five years to fall by 5.5%: a small loss, and a long one.',
  kind: 'forex',
  strategyType: 'momentum',
  market: 'global',
  isFeatured: false,
  minInvestmentDollars: 5_000,
  definition: {
    language: LANGUAGE,
    name: 'Slow Current FX',
    ...yearlyTrend(3),
  },
};

export const CALM_LISTINGS: readonly Listing[] = [stillWater, evenKeel, slowCurrent];
