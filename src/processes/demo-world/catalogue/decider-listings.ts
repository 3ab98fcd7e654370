// Strategies whose decisions come from a model. In the demonstration a stand-in answers in its place: it shows how such a strategy is
// recorded, tested and traded, and nothing of what a model is worth.
import { LANGUAGE, type Listing } from '../../seed/catalogue/listing.ts';

const SHARES = ['NVSM', 'QLBR', 'ARDN', 'HLXD', 'KTRA', 'LMVX', 'TLCO', 'MRBY', 'VLMR', 'HWLL'];
const COINS = ['BTCUSD', 'ETHUSD', 'SOLUSD', 'XRPUSD', 'LTCUSD', 'ADAUSD'];

const roundTable: Listing = {
  slug: 'round-table',
  name: 'Round Table',
  shortDescription:
    'A language model divides the money among ten shares each month. Here a stand-in answers for it.',
  description:
    'On the first trading day of each month a language model is shown what ten shares returned over a month and a quarter, and proposes how to divide the money among them. It is asked three times, and the mean counts. It proposes weights and nothing else: your limits and stops hold as ever, and it can place no order. In this demonstration no model is asked: a stand-in answers by a simple rule, so the record shows how such a strategy works and not what a model is worth.',
  kind: 'equity',
  strategyType: 'deep_learning',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 10_000,
  definition: {
    language: LANGUAGE,
    name: 'Round Table',
    notes:
      'After A. Lopez-Lira and Y. Tang, Can ChatGPT Forecast Stock Price Movements?, 2023, with a stand-in in the place of the model.',
    universe: SHARES,
    benchmark: 'BWMKT',
    schedule: { every: 'month' },
    features: { month: { indicator: 'roc', length: 21 }, quarter: { indicator: 'roc', length: 63 } },
    rule: {
      type: 'decider',
      asks: 'language_model',
      model: 'stand-in',
      knowledgeUntil: '2023-06-30',
      instructions:
        'Hold the shares that are likely to do best over the next month, at most a quarter of the money in each. Their returns of the last month and quarter are given as fractions.',
      samples: 3,
      outputTokensMax: 1_000,
      withinSeconds: 30,
      dollarsPerMonth: 5,
      withoutAnswer: 'hold',
    },
    gross: 0.95,
  },
};

const longGlass: Listing = {
  slug: 'long-glass',
  name: 'Long Glass',
  shortDescription: 'A time-series model forecasts six coins each month. Here a stand-in answers for it.',
  description:
    'On the first of each month a time-series model is shown the last sixty closes of six coins and forecasts the return of each until the next month. Those that are expected to rise are held, a sixth of the money in each; the rest stays in cash. When no forecast comes in time, everything is sold. In this demonstration no model is asked: a stand-in answers by a simple rule, so the record shows how such a strategy works and not what a model is worth.',
  kind: 'crypto',
  strategyType: 'deep_learning',
  market: 'global',
  isFeatured: false,
  minInvestmentDollars: 10_000,
  definition: {
    language: LANGUAGE,
    name: 'Long Glass',
    notes:
      'After A. Ansari and others, Chronos: Learning the Language of Time Series, 2024, with a stand-in in the place of the model.',
    universe: COINS,
    benchmark: 'BTCUSD',
    schedule: { every: 'month' },
    rule: {
      type: 'decider',
      asks: 'time_series',
      model: 'stand-in',
      knowledgeUntil: '2023-12-31',
      instructions: 'The closes are daily, oldest first. The next decision is in a month.',
      closes: 60,
      samples: 3,
      outputTokensMax: 1_000,
      withinSeconds: 30,
      dollarsPerMonth: 5,
      withoutAnswer: 'flat',
    },
    gross: 0.95,
    periodsPerYear: 365,
  },
};

export const DECIDER_LISTINGS: readonly Listing[] = [roundTable, longGlass];
