import { z } from 'zod';
import { INSTRUMENT_KINDS, INTRADAY_INTERVALS } from '#engine/market/instrument.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';

/**
 * How far a backtested result can be believed. supported: luck among all tries is unlikely. possible: good on its own,
 * but with this many tries luck may explain it. unsupported: not good enough even alone, no better than its benchmark at equal
 * exposure, or overfitted. loss: it earned nothing. contradicted: the results after the commit speak against it. too_short: not enough
 * returns to judge.
 */
const EVIDENCE_GRADES = [
  'supported',
  'possible',
  'unsupported',
  'loss',
  'contradicted',
  'too_short',
] as const;

export type EvidenceGrade = (typeof EVIDENCE_GRADES)[number];

const probability = z.number().nullable();

/** The doubt to show with a strategy's figures. */
export const evidence = z
  .object({
    grade: z.enum(EVIDENCE_GRADES),
    reasons: z.array(z.string()),
    /** That the true Sharpe ratio is above zero, in-sample. */
    probabilistic_sharpe: probability,
    /** The same of what was earned beyond the benchmark at equal exposure; null without one. */
    beyond_benchmark: probability,
    /** That the lower of the two is above what luck gives the best of all tries. */
    deflated_sharpe: probability,
    /** Annual Sharpe ratio that the best of that many skill-less tries is expected to show. */
    lucky_sharpe: z.number().nullable(),
    /** Years until a Sharpe ratio like this one is above zero with 95 percent; null when it never is. */
    minimum_track_record_years: z.number().nullable(),
    /** In-sample. */
    track_record_years: z.number(),
    /** By combinatorially symmetric cross-validation over neighbouring rules; null while it was not measured. */
    overfitting_probability: probability,
    /** That the best of the neighbouring rules on one half of the days earns nothing on the other half; null likewise. */
    loss_probability: probability,
    /** Everything that the same person, or the provider, tried of this kind, over all drafts: what the deflated figures count. */
    family: z.object({
      /** The tries of the family, and one for each further kind of rule. */
      counted: z.number().int(),
      tries: z.number().int(),
      /** Drafts and strategies that they were made in, removed ones included. */
      strategies: z.number().int(),
      /** Of the tries, those whose rule is of another kind but whose returns are nearly the same. */
      by_returns: z.number().int(),
      further_kinds: z.number().int(),
      /** All tries of the same person or provider, of every kind. */
      all: z.number().int(),
      by_provider: z.boolean(),
      /** The same in words. */
      sentences: z.array(z.string()),
    }),
    /** Of this strategy alone. */
    trials: z.object({
      /** Backtests of the strategy and its variants ever run, failed ones included. */
      tries: z.number().int(),
      failed: z.number().int(),
      variants: z.number().int(),
      by_persons: z.number().int(),
      /** Re-runs of the committed rules on later prices: they choose nothing and do not count as tries. */
      renewals: z.number().int(),
    }),
    out_of_sample: z.object({
      /** When the version was committed: an ISO instant of the trading clock. */
      from: z.string(),
      days: z.number().int(),
      /** Whole months since. */
      months: z.number().int(),
      /** Whether there is a month of it: before that its figures mean nothing. */
      is_enough: z.boolean(),
      /** Percent since the commit; null before the first day. */
      total_return: z.number().nullable(),
      /** That the true Sharpe ratio since is above zero; null while it is too short. */
      probability,
    }),
    /** Percent, after the performance fee as if it left the account at each month's end. */
    after_fee: z.object({
      fee_percent: z.number(),
      annual_return: z.number().nullable(),
      return_inception: z.number().nullable(),
    }),
    /** Whose prices the figures are of: the simulated market's, past ones replayed as the live market, or real ones. */
    world: z.enum(['simulated', 'replayed', 'live']),
    version: z.number().int(),
    /** hash(engine, definition, data, costs) and hash(result): the same input gives the same result. */
    input_hash: z.string(),
    result_hash: z.string(),
  })
  .meta({ id: 'Evidence' });

export type Evidence = z.infer<typeof evidence>;

const percent = z.number().nullable();

/** One part of the record, measured separately: percent unless noted, before the performance fee. */
const sampleResults = z
  .object({
    from: z.string(),
    to: z.string(),
    /** Days with a measured return. */
    days: z.number().int(),
    total_return: percent,
    /** Null for less than a year. */
    annual_return: percent,
    total_return_after_fee: percent,
    annual_return_after_fee: percent,
    max_drawdown: percent,
    volatility: percent,
    /** Null for less than a year, like all annualised figures. */
    sharpe_ratio: z.number().nullable(),
    sortino_ratio: z.number().nullable(),
    /** Closed in this part. */
    total_trades: z.number().int(),
    win_rate: percent,
    average_trade_return: percent,
    /** Days. */
    average_holding_period: z.number().nullable(),
  })
  .meta({ id: 'SampleResults' });

export type SampleResults = z.infer<typeof sampleResults>;

/** In-sample may have influenced the choice of the rules; out-of-sample is what came after the commit of the version. */
export const sampleParts = z
  .object({
    in_sample: sampleResults.nullable(),
    out_of_sample: sampleResults.nullable(),
    /** Where a model decides: the days that it may know. They are in neither part. Null where there are none. */
    known: sampleResults.nullable(),
  })
  .meta({ id: 'SampleParts' });

const fraction = z.number().nullable();
const spanReturn = z.object({ span: z.string(), return: z.number() });

/** Every measure of a stretch of days, in fractions; null where it is not defined. */
const measures = z
  .object({
    totalReturn: fraction,
    annualReturn: fraction,
    return30d: fraction,
    returnYtd: fraction,
    return1y: fraction,
    return3y: fraction,
    return5y: fraction,
    volatility: fraction,
    sharpe: fraction,
    sortino: fraction,
    calmar: fraction,
    maxDrawdown: fraction,
    maxDrawdownDates: z
      .object({
        peak: z.string(),
        trough: z.string(),
        recovered: z.string().nullable(),
        bars: z.number().int(),
      })
      .nullable(),
    alpha: fraction,
    beta: fraction,
    /** One day, the worst 5 percent. */
    valueAtRisk: fraction,
    expectedShortfall: fraction,
    timeInMarket: fraction,
    averageGross: fraction,
    maxGross: fraction,
    /** A year. */
    turnover: fraction,
    trades: z.number().int(),
    winRate: fraction,
    profitFactor: fraction,
    averageTradeReturn: fraction,
    averageHoldingDays: z.number().nullable(),
    months: z.object({ best: spanReturn, worst: spanReturn }).nullable(),
    monthlyReturns: z.array(
      z.object({
        year: z.number().int(),
        months: z.array(z.object({ month: z.number().int(), return: z.number() })),
      }),
    ),
  })
  .meta({ id: 'Measures' });

export type Measures = z.infer<typeof measures>;

const sample = z
  .object({
    firstDate: z.string(),
    lastDate: z.string(),
    periods: z.number().int(),
    /** After commission and slippage, before the performance fee. */
    gross: measures,
    /** After the performance fee as well. */
    net: z.object({
      totalReturn: fraction,
      annualReturn: fraction,
      volatility: fraction,
      sharpe: fraction,
      maxDrawdown: fraction,
    }),
  })
  .meta({ id: 'SampleMeasures' });

export type SampleMeasures = z.infer<typeof sample>;

const hash = z.string();

/** The input as the engine has it: its own JSON, whose canonical text is hashed. */
const engineJson = z.record(z.string(), z.unknown());

const passport = z
  .object({
    format: z.literal('bellwether-evidence/1'),
    strategy: z.object({ id: z.string(), name: z.string() }),
    version: z.object({ id: z.string(), number: z.number().int(), committed_at: z.string() }),
    first_date: z.string(),
    last_date: z.string(),
    /** Trading clock, at the time of the run. */
    as_of: z.string(),
    hashes: z.object({ engine: hash, definition: hash, data: hash, costs: hash, input: hash, result: hash }),
    /** It is raised when the engine gives other figures; its hash changes with each sign of its sources. */
    engine_version: z.string(),
    definition: engineJson,
    costs: engineJson,
    figures: engineJson,
    samples: z.object({
      whole: sample,
      inSample: sample.nullable(),
      outOfSample: sample.nullable(),
      known: sample.nullable().optional(),
    }),
    /** The end of each symbol's chain of bars, in which each day is sealed over the one before; empty in old results. */
    chains: z.record(z.string(), hash),
    /** SHA-256 of the daily series and of the shown trades, as canonical JSON. */
    shown: z.object({ series: hash, trades: hash }),
    evidence,
    /** SHA-256 of everything else, as canonical JSON. */
    seal: hash,
  })
  .meta({ id: 'EvidencePassport' });

export type PassportAnswer = z.infer<typeof passport>;

const column = z.array(z.number());

const passportBars = z
  .object({
    format: z.literal('bellwether-bars/1'),
    series: z.array(
      z.object({
        instrument: z.object({ symbol: z.string(), kind: z.enum(INSTRUMENT_KINDS) }).loose(),
        interval: z.enum(['1d', ...INTRADAY_INTERVALS]),
        /** Milliseconds since 1970, UTC. */
        closed_at: column,
        open: column,
        high: column,
        low: column,
        close: column,
        volume: column,
        actions: z
          .array(z.object({ kind: z.enum(['split', 'dividend']), exDate: z.string(), amount: z.number() }))
          .optional(),
        scores: z.array(z.number().nullable()).optional(),
      }),
    ),
  })
  .meta({ id: 'EvidenceBars' });

export const evidenceEndpoints = {
  getStrategyEvidence: endpoint(ROUTES.getStrategyEvidence, {
    room: 'strategies',
    opensByLink: true,
    summary: 'The evidence passport of the newest result: inputs, hashes, measures, trials',
    description:
      'Everything needed to recompute the newest result: definition, costs, hashes of all inputs, measures before and after the commit, and the number of tries.',
    security: 'optional',
    params: idParams,
    status: 200,
    answer: passport,
    refusals: ['figures_hidden', 'not_found'],
  }),
  getStrategyEvidenceData: endpoint(ROUTES.getStrategyEvidenceData, {
    room: 'strategies',
    summary: 'The bars behind the newest result, to re-run it',
    description:
      'Prices, corporate actions and model scores of the newest result, streamed one instrument at a time.',
    security: 'optional',
    params: idParams,
    status: 200,
    answer: passportBars,
    media: 'application/json',
    refusals: ['figures_hidden', 'not_found'],
  }),
  getStrategyEvidenceBars: endpoint(ROUTES.getStrategyEvidenceBars, {
    room: 'strategies',
    summary: 'The same bars as binary columns, to rehearse with',
    description:
      'A third of the size, and read without parsing numbers: each column as 32-bit steps of whole numbers where nothing is lost by it, as doubles elsewhere. With `result`, browsers keep them.',
    security: 'optional',
    params: idParams,
    query: z.object({
      result: z
        .string()
        .max(100)
        .optional()
        .describe('The input hash of the result, as its evidence states it.'),
    }),
    status: 200,
    answer: z.string(),
    media: 'application/octet-stream',
    refusals: ['figures_hidden', 'not_found'],
  }),
} as const;
