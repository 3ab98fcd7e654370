// A small network that ranks shares against one another.
import type { Symbol } from '#units/identifiers.ts';
import { networkGraph } from '../network/network-graph.ts';
import { type NetworkSettings, trainNetwork } from '../network/train-network.ts';
import type { Recipe } from '../recipe.ts';
import tries from './tries.json' with { type: 'json' };

const SETTINGS: Omit<NetworkSettings, 'seed'> & { readonly seeds: readonly number[] } = {
  hidden: [8, 4],
  epochs: 2,
  batchRows: 256,
  learningRate: 0.002,
  weightDecay: 0.3,
  seeds: [1, 2, 3, 4, 5, 6, 7, 8],
};

export const sharesNetwork: Recipe = {
  name: 'shares-network',
  method:
    'The mean of eight feed-forward networks with hidden layers of 8 and 4 rectified neurons, trained by Adam on squared loss with decoupled weight decay.',
  universe: [
    'NVSM',
    'QLBR',
    'ARDN',
    'HLXD',
    'KTRA',
    'LMVX',
    'TLCO',
    'MRBY',
    'VLMR',
    'HWLL',
    'GRNF',
    'PRLW',
    'SNTV',
    'ALVT',
    'GNWY',
    'HBTR',
    'NGTI',
    'CPST',
    'WLDC',
    'SNVL',
    'IRBR',
    'AVAE',
    'FRTL',
    'CBRN',
    'LKSD',
    'BRWK',
  ] as Symbol[],
  benchmark: 'BWMKT' as Symbol,
  periodsPerYear: 252,
  inputs: {
    return_5: { indicator: 'roc', length: 5 },
    return_21: { indicator: 'roc', length: 21 },
    return_63: { indicator: 'roc', length: 63 },
    return_126: { indicator: 'roc', length: 126 },
    return_252: { indicator: 'roc', length: 252 },
    return_500: { indicator: 'roc', length: 500 },
    place_20: { indicator: 'zscore', length: 20 },
    strength_14: { indicator: 'rsi', length: 14 },
    volatility_63: { indicator: 'volatility', length: 63 },
  },
  ruleFeatures: {},
  scaling: 'cross_section',
  horizonBars: 21,
  embargoDays: 10,
  settings: SETTINGS,
  fit(set) {
    const networks = SETTINGS.seeds.map((seed) => trainNetwork(set, { ...SETTINGS, seed }));
    return networkGraph('shares-network', networks);
  },
  strategy: {
    name: 'Deep Bench',
    notes:
      'Ranking shares by a network over past returns and volatility, after S. Gu, B. Kelly and D. Xiu, Empirical Asset Pricing via Machine Learning, Review of Financial Studies, 2020. Each year is scored by a network trained on the years before it.',
    schedule: { every: 'month' },
    rule: { type: 'ranking', by: 'score', top: 8 },
    weighting: { type: 'equal', over: 'held' },
  },
  predicts:
    'how much a share will return over the next 21 trading days beyond the mean of the 26 shares, in deviations',
  tries: tries.tries,
  weaknesses: [
    'It is always invested: it falls with the market, and with eight shares often further.',
    'Networks of other seeds end with results several percent a year apart: what it finds is small beside the noise.',
    'What it learned changed with the years: it began by favouring recent winners, and since 2019 it favours shares that have lagged and move a lot.',
    'It has seen one simulated market only. Nothing it learned says anything about real shares.',
  ],
};
