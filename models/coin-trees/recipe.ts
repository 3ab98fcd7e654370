// Boosted trees on coins, held only where a plain trend rule agrees.
import type { Symbol } from '#units/identifiers.ts';
import type { Recipe } from '../recipe.ts';
import { growTrees, type TreeSettings } from '../trees/grow-trees.ts';
import { treeGraph } from '../trees/tree-graph.ts';
import tries from './tries.json' with { type: 'json' };

const SETTINGS: TreeSettings = { trees: 60, depth: 2, learningRate: 0.05, leafRows: 300, ridge: 100 };
const BITCOIN = 'BTCUSD' as Symbol;

export const coinTrees: Recipe = {
  name: 'coin-trees',
  method: 'Sixty gradient-boosted regression trees of depth 2 with histogram splits and squared loss.',
  universe: [BITCOIN, ...(['ETHUSD', 'SOLUSD', 'ADAUSD', 'XRPUSD', 'LTCUSD'] as Symbol[])],
  benchmark: BITCOIN,
  periodsPerYear: 365,
  inputs: {
    return_5: { indicator: 'roc', length: 5 },
    return_21: { indicator: 'roc', length: 21 },
    return_63: { indicator: 'roc', length: 63 },
    return_126: { indicator: 'roc', length: 126 },
    strength_14: { indicator: 'rsi', length: 14 },
    volatility_21: { indicator: 'volatility', length: 21 },
    volatility_63: { indicator: 'volatility', length: 63 },
    bitcoin_21: { indicator: 'roc', length: 21, symbol: BITCOIN },
    bitcoin_63: { indicator: 'roc', length: 63, symbol: BITCOIN },
    bitcoin_126: { indicator: 'roc', length: 126, symbol: BITCOIN },
  },
  ruleFeatures: { trend: { indicator: 'sma', length: 100 } },
  scaling: 'none',
  horizonBars: 14,
  embargoDays: 10,
  settings: SETTINGS,
  fit: (set) => treeGraph('coin-trees', set.width, growTrees(set, SETTINGS)),
  strategy: {
    name: 'Second Opinion',
    notes:
      'A model and a rule that must agree: gradient boosting after J. Friedman, Annals of Statistics, 2001, and time-series momentum after T. Moskowitz, Y. H. Ooi and L. H. Pedersen, Journal of Financial Economics, 2012, sized to a volatility. Each year is scored by trees grown on the years before it.',
    schedule: { every: 'week' },
    rule: {
      type: 'signals',
      enterLong: {
        op: 'all',
        of: [
          { op: 'above', left: 'score', right: 0 },
          { op: 'above', left: 'close', right: 'trend' },
        ],
      },
      exitLong: {
        op: 'any',
        of: [
          { op: 'below', left: 'score', right: 0 },
          { op: 'below', left: 'close', right: 'trend' },
        ],
      },
    },
    weighting: { type: 'volatility_target', length: 30, annualPercent: 40, over: 'universe' },
  },
  predicts:
    'the return of a coin over the next 14 days, in deviations of all such returns in the training window',
  tries: tries.tries,
  weaknesses: [
    'It is out of the market for long stretches, and misses what coins earn then.',
    'Coins rise and fall together: six positions are often one bet.',
    'It leaves late: both the trend and the model follow prices, and a sudden fall is over before they turn.',
    'It learns from six series and few cycles: the evidence is thinner than the number of rows says.',
    'It has seen one simulated market only. Nothing it learned says anything about real coins.',
  ],
};
