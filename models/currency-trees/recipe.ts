// Boosted trees that say which way a currency pair leans.
import type { Symbol } from '#units/identifiers.ts';
import type { Recipe } from '../recipe.ts';
import { growTrees, type TreeSettings } from '../trees/grow-trees.ts';
import { treeGraph } from '../trees/tree-graph.ts';
import tries from './tries.json' with { type: 'json' };

const SETTINGS: TreeSettings = { trees: 40, depth: 2, learningRate: 0.05, leafRows: 200, ridge: 100 };

export const currencyTrees: Recipe = {
  name: 'currency-trees',
  method: 'Forty gradient-boosted regression trees of depth 2 with histogram splits and squared loss.',
  universe: ['EURUSD', 'GBPUSD', 'AUDUSD', 'NZDUSD', 'USDJPY', 'USDCHF'] as Symbol[],
  benchmark: 'EURUSD' as Symbol,
  periodsPerYear: 252,
  inputs: {
    return_5: { indicator: 'roc', length: 5 },
    return_21: { indicator: 'roc', length: 21 },
    return_63: { indicator: 'roc', length: 63 },
    return_126: { indicator: 'roc', length: 126 },
    return_252: { indicator: 'roc', length: 252 },
    strength_14: { indicator: 'rsi', length: 14 },
    volatility_63: { indicator: 'volatility', length: 63 },
    place_50: { indicator: 'zscore', length: 50 },
    place_200: { indicator: 'zscore', length: 200 },
  },
  ruleFeatures: {},
  scaling: 'none',
  horizonBars: 21,
  embargoDays: 10,
  settings: SETTINGS,
  fit: (set) => treeGraph('currency-trees', set.width, growTrees(set, SETTINGS)),
  strategy: {
    name: 'Crosscurrent',
    notes:
      'Gradient boosting after J. Friedman, Annals of Statistics, 2001, over the past returns that L. Menkhoff, L. Sarno, M. Schmeling and A. Schrimpf, Currency Momentum Strategies, Journal of Financial Economics, 2012, found to lead currencies. Each year is scored by trees grown on the years before it.',
    schedule: { every: 'week' },
    direction: 'long_short',
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'score', right: 0.05 },
      exitLong: { op: 'below', left: 'score', right: 0 },
      enterShort: { op: 'below', left: 'score', right: -0.05 },
      exitShort: { op: 'above', left: 'score', right: 0 },
    },
    weighting: { type: 'equal', over: 'universe' },
  },
  predicts:
    'the return of a pair over the next 21 trading days, in deviations of all such returns in the training window',
  tries: tries.tries,
  weaknesses: [
    'Currencies move little and nothing is borrowed, so even a right forecast earns a few percent a year.',
    'The six pairs share the dollar: several positions are often one bet.',
    'It learns from six series only, and neighbouring outcomes overlap by weeks: its evidence is thinner than the number of rows says.',
    'Interest-rate differences and swap are not among its inputs.',
    'It has seen one simulated market only. Nothing it learned says anything about real currencies.',
  ],
};
