import { z } from 'zod';
import { INSTRUMENT_KINDS } from '#engine/market/instrument.ts';
import { RISK_LEVELS } from '#rules/suitability/strategy-risk.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { claim, claimLine } from './claim.ts';
import { decider, modelRole } from './decider.ts';
import { evidence, evidenceEndpoints, sampleParts } from './evidence.ts';
import { ROUTES } from '../http/route.ts';
import { benchmarkedSeries, benchmarkName, plainSeries } from './series.ts';
import { watchListEndpoints } from './watch-list.ts';

/** Filter values of the marketplace (spec section 9). */
export const STRATEGY_TYPES = [
  'deep_learning',
  'ml_based',
  'hybrid',
  'momentum',
  'mean_reversion',
  'trend_following',
  'arbitrage',
] as const;
export const MARKETS = ['us', 'global'] as const;

/** Percent unless noted; null where the history is too short. All of it is hypothetical (backtested). */
export const backtestResults = z
  .object({
    return_inception: z.number(),
    return_30d: z.number().nullable(),
    annual_return: z.number(),
    ytd_return: z.number().nullable(),
    return_1y: z.number().nullable(),
    volatility: z.number(),
    sharpe_ratio: z.number(),
    sortino_ratio: z.number(),
    max_drawdown: z.number(),
    total_trades: z.number().int(),
    win_rate: z.number().nullable(),
    average_trade_return: z.number().nullable(),
    /** Days. */
    average_holding_period: z.number().nullable(),
  })
  .meta({ id: 'BacktestResults' });

/** Dollars. */
export const capacity = z
  .object({
    /** How much money it takes in all; null where nothing limits it. Beyond it new money waits. */
    amount: z.number().nullable(),
    /** From volume and impact of the last three years of its record; null while it is not known. */
    estimate: z
      .object({
        amount: z.number(),
        low: z.number(),
        high: z.number(),
        /** impact: beyond it its own orders eat too much of what it earns. volume: beyond it they are too much of what is traded. */
        bound: z.enum(['impact', 'volume']),
        /** All that it buys and sells in a year, as a multiple of its money. */
        traded_per_year: z.number(),
      })
      .nullable(),
    /** A lower limit of its provider. */
    own_limit: z.number().nullable(),
    /** What its real deployments are worth now. */
    deployed: z.number(),
    /** Who waits for room in it: how many, and with how much. */
    waiting: z.object({ count: z.number().int(), amount: z.number() }),
    /** Whether the smallest investment would wait. */
    is_full: z.boolean(),
    /** What the amount is made from. */
    note: z.string(),
  })
  .meta({ id: 'StrategyCapacity' });

export const strategy = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    shortDescription: z.string(),
    thumbnail: z.string(),
    strategy_type: z.enum(STRATEGY_TYPES),
    asset_class: z.enum(INSTRUMENT_KINDS),
    risk_level: z.enum(RISK_LEVELS),
    /** 1 to 5; a client invests at or below their own score. */
    risk_score: z.number().int(),
    market: z.enum(MARKETS),
    /** What its record is measured against. */
    benchmark_name: benchmarkName,
    /** Whether a trained model decides with, asked only about days after those that it learned from. */
    is_walk_forward: z.boolean(),
    /** What a model has to do with it. */
    model_role: modelRole,
    is_featured: z.boolean(),
    /** A draft is shown to its writer alone; a retired one takes no new deployments. */
    status: z.enum(['draft', 'published', 'retired']),
    /** Dollars. */
    min_investment: z.number(),
    /** Percent of profit above the high-water mark. */
    fees: z.number(),
    returnsYTD: z.number().nullable(),
    returns1Y: z.number().nullable(),
    returns3Y: z.number().nullable(),
    returns5Y: z.number().nullable(),
    volatility: z.number(),
    sharpeRatio: z.number(),
    maxDrawdown: z.number(),
    /** A short series for a card's sparkline. */
    performanceChart: plainSeries,
    backtest_sharpe: z.number(),
    backtest_max_drawdown: z.number(),
    /** The whole record, in-sample and out-of-sample together. */
    backtest_results: backtestResults,
    /** The same record before and after the commit. */
    samples: sampleParts,
    /**
     * How much of its money the strategy puts into one position, in percent: a lower limit per position cuts its
     * targets. Half of its targets ask for more than `usual`. Null while not measured.
     */
    position_sizes: z.object({ usual: z.number(), largest: z.number() }).nullable(),
    capacity,
    /** The day of the last bar that the backtest read. */
    as_of: z.string(),
    evidence,
    /** A track record that the provider claims, beside everything above and in none of it; null for none. */
    claim: claim.nullable(),
  })
  .meta({ id: 'Strategy' });

export type Strategy = z.infer<typeof strategy>;

const strategyDetail = strategy
  .extend({
    /** What is wrong with the prices that it reads at the moment, as a sentence; null when nothing is. */
    price_note: z.string().nullable(),
    /** Why nobody can deploy it, as a sentence; null where they can. */
    offer_note: z.string().nullable(),
    /** Why it can only be practised so far, as a sentence; null where money can be deployed. */
    practice_first_note: z.string().nullable(),
    /** Where a model decides; else null. */
    decider: decider.nullable(),
  })
  .meta({ id: 'StrategyDetail' });

export type StrategyDetail = z.infer<typeof strategyDetail>;

export const strategyTrade = z
  .object({
    id: z.string(),
    symbol: z.string(),
    side: z.enum(['long', 'short']),
    entry_date: z.string(),
    exit_date: z.string(),
    entry_price: z.number(),
    exit_price: z.number(),
    quantity: z.number(),
    /** Return of the trade in percent. */
    pnl: z.number(),
    /** Dollars. */
    pnl_amount: z.number(),
  })
  .meta({ id: 'StrategyTrade' });

export type StrategyTrade = z.infer<typeof strategyTrade>;

export const strategyPerformance = benchmarkedSeries
  .extend({
    benchmark_name: benchmarkName,
    drawdown: z.object({ labels: z.array(z.string()), data_drawdown: z.array(z.number()) }),
    monthly_returns: z.array(
      z.object({
        year: z.number().int(),
        months: z.array(z.object({ month: z.number().int(), return: z.number() })),
      }),
    ),
    recent_trades: z.array(strategyTrade),
    as_of: z.string(),
    /** The commit day of the version: later days are out-of-sample, unknown when the rules were chosen. */
    committed_on: z.string(),
    /** Where a model decides: the last day that it may know. The record until then is no evidence, and in no figure. Else null. */
    known_until: z.string().nullable(),
  })
  .meta({ id: 'StrategyPerformance' });

export type StrategyPerformance = z.infer<typeof strategyPerformance>;

const text = z.string().max(200);
/** Absent means 'all'. 'stocks' is equity (spec section 9). */
const filters = z.object({
  search: text.optional().describe('Part of a name or description, case-insensitive.'),
  market: z
    .enum(['all', 'stocks', ...INSTRUMENT_KINDS, ...MARKETS])
    .optional()
    .describe('A kind of instrument (stocks means equity) or a market.'),
  risk: z
    .enum(['all', ...RISK_LEVELS])
    .optional()
    .describe('A risk level.'),
  risk_level: z
    .enum(['all', ...RISK_LEVELS])
    .optional()
    .describe('Same as risk.'),
  type: z
    .enum(['all', ...STRATEGY_TYPES])
    .optional()
    .describe('How the strategy decides.'),
  strategy_type: z
    .enum(['all', ...STRATEGY_TYPES, ...INSTRUMENT_KINDS])
    .optional()
    .describe('Same as type; also accepts a kind of instrument.'),
  is_featured: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
    .optional()
    .describe('Only featured strategies, or only the others.'),
});

export type StrategyFilters = z.output<typeof filters>;

/** Day, week and month are the spacing of points over the whole history; the others are ranges of daily points. */
const performanceQuery = z.object({
  timeframe: z
    .enum(['day', 'week', 'month', '1D', '1W', '1M', '3M', '1Y', 'ALL'])
    .optional()
    .describe('The interval of points or the range; default week.'),
});

export const strategiesEndpoints = {
  ...evidenceEndpoints,
  ...watchListEndpoints,
  listStrategies: endpoint(ROUTES.listStrategies, {
    room: 'strategies',
    summary: 'The marketplace',
    description:
      "Published strategies with the figures of their newest result, featured ones first. A missing filter means 'all'. All performance is hypothetical.",
    security: 'optional',
    query: filters,
    status: 200,
    answer: z.array(strategy),
    refusals: ['figures_hidden'],
  }),
  filterStrategies: endpoint(ROUTES.filterStrategies, {
    room: 'strategies',
    summary: 'The marketplace, with filters in the body',
    description: 'Same as the list, with filters as a JSON body.',
    security: 'optional',
    body: filters,
    status: 200,
    answer: z.array(strategy),
    refusals: ['figures_hidden'],
  }),
  getStrategy: endpoint(ROUTES.getStrategy, {
    room: 'strategies',
    summary: 'One strategy',
    description:
      'One published or retired strategy with the figures of its newest result, and what is wrong with its prices now.',
    security: 'optional',
    params: idParams,
    status: 200,
    answer: strategyDetail,
    refusals: ['figures_hidden', 'not_found'],
  }),
  getStrategyPerformance: endpoint(ROUTES.getStrategyPerformance, {
    room: 'strategies',
    summary: 'Backtested equity, benchmark, drawdown, monthly returns and recent trades',
    description:
      "The backtested value of one account over time, with the benchmark scaled to the same start. 'day', 'week' and 'month' thin the full history; a range returns every day in it.",
    security: 'optional',
    params: idParams,
    query: performanceQuery,
    status: 200,
    answer: strategyPerformance,
    refusals: ['figures_hidden', 'not_found'],
  }),
  getStrategyClaim: endpoint(ROUTES.getStrategyClaim, {
    room: 'strategies',
    summary: 'The track record that the provider claims, day by day',
    description:
      'Not checked by us. Beside it our own record since we know the rules, over the days that both have. Each line is what 100 became, and ours starts where the claim is then.',
    security: 'optional',
    params: idParams,
    status: 200,
    answer: claimLine,
    refusals: ['figures_hidden', 'not_found'],
  }),
  listStrategyTrades: endpoint(ROUTES.listStrategyTrades, {
    room: 'strategies',
    summary: 'Every closed trade of the backtest, newest first',
    description: 'Every closed trade of the newest result with entry, exit and profit.',
    security: 'optional',
    params: idParams,
    status: 200,
    answer: z.array(strategyTrade),
    refusals: ['figures_hidden', 'not_found'],
  }),
  downloadStrategyTrades: endpoint(ROUTES.downloadStrategyTrades, {
    room: 'strategies',
    summary: 'The complete trade log as CSV',
    description:
      'The same trades, oldest first, one line each: symbol, side, entry_date, exit_date, entry_price, exit_price, quantity, pnl. pnl is in dollars after commission. No cell runs as a formula in a spreadsheet. The log of a draft is for its author alone.',
    security: 'optional',
    params: idParams,
    opensByLink: true,
    status: 200,
    answer: z.string(),
    media: 'text/csv',
    refusals: ['figures_hidden', 'not_found'],
  }),
} as const;
