// A published strategy with a small stored result.
import { randomUUID } from 'node:crypto';
import type { PublishedTrade } from '../../src/engine/evidence/published-record.ts';
import { saveBacktest } from '#records/results/backtests.ts';
import type { StrategyVersionId } from '../../src/units/identifiers.ts';
import { gradeEvidence } from '../../src/engine/evidence/evidence-grade.ts';
import type { SampleReport } from '../../src/engine/evidence/sample-reports.ts';
import type { CapacityEstimate } from '../../src/engine/capacity/estimate-capacity.ts';
import { performanceReport } from '../../src/engine/performance/performance-report.ts';
import { returnsOf } from '../../src/engine/performance/returns.ts';
import { publishedCosts } from '#results/publish-result.ts';
import { instant, type IsoDate } from '../../src/units/instant.ts';
import type { TestApp } from './test-app.ts';

type Listed = {
  readonly name?: string;
  readonly kind?: string;
  readonly riskScore?: number;
  readonly status?: string;
  readonly minInvestment?: number;
  readonly feePercent?: number;
  readonly trades?: readonly PublishedTrade[];
  /** Whose private draft it is. */
  readonly owner?: string;
  readonly definition?: object;
  readonly capacity?: CapacityEstimate;
  /** Of its bars; days where absent. */
  readonly interval?: string;
  /** Days after it are out-of-sample; none of the result where absent. */
  readonly committedOn?: string;
};

/** Returns the strategy's id. With an owner it is a private draft that was tested. */
export async function publishedStrategy(
  { records }: { readonly records: Pick<TestApp['records'], 'pool' | 'database'> },
  listed: Listed = {},
): Promise<string> {
  const [id, version] = [randomUUID(), randomUUID() as string as StrategyVersionId];
  const {
    name = 'Calm Trend',
    kind = 'equity',
    riskScore = 3,
    owner = null,
    status = owner === null ? 'published' : 'draft',
    minInvestment = 5_000,
    definition = DEFINITION,
    interval,
    committedOn = '2026-01-01',
  } = listed;
  await records.pool.query(
    `insert into strategies (id, slug, name, short_description, description, kind, strategy_type, market, risk_level,
       risk_score, min_investment_micro, status, owner_id)
     values ($1, $1::uuid::text, $2, 'short', 'long', $3, 'momentum', 'us', 'medium', $4, $5, $6, $7)`,
    [id, name, kind, riskScore, minInvestment * 1_000_000, status, owner],
  );
  await records.pool.query(
    `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
     values ($1, $2, 1, $3, 'h', $4)`,
    [version, id, { ...definition, ...(interval !== undefined && { interval }) }, `${committedOn}T00:00:00Z`],
  );
  await saveResult(records, version, listed);
  return id;
}

/** As the worker does. */
export async function saveResult(
  records: Pick<TestApp['records'], 'database'>,
  versionId: StrategyVersionId,
  { feePercent, capacity, trades }: Pick<Listed, 'feePercent' | 'capacity' | 'trades'> = {},
): Promise<void> {
  const labels = Array.from({ length: 60 }, (_, i) =>
    new Date(Date.UTC(2025, 10, 1 + i)).toISOString().slice(0, 10),
  );
  const committedAt = instant(Date.UTC(2026, 0, 1));
  const equity = Float64Array.from(labels, (_, i) => 100_000 + i * 100);
  const sample: SampleReport = {
    firstDate: labels[0]!,
    lastDate: labels.at(-1)!,
    periods: labels.length - 1,
    gross: reportOf(labels as IsoDate[], equity),
    net: reportOf(labels as IsoDate[], equity),
  };
  await saveBacktest(
    records.database,
    {
      versionId,
      hashes: { engine: 'e', definition: 'h', data: 'd', costs: 'c', input: 'in', result: 'out' },
      dataAsOf: instant(Date.UTC(2025, 11, 31)),
      barsRead: { source: 'sandbox', counts: {} },
      scores: null,
      positionSizes: { usual: 1 / 3, largest: 1 / 3 },
      capacity: capacity ?? { kind: 'unknown', why: 'too_few_orders' },
      costs: publishedCosts(
        { instruments: new Map(), ...(feePercent !== undefined && { feePercent }) },
        committedAt,
      ),
      samples: { whole: sample, inSample: sample, outOfSample: null },
      firstDate: labels[0] as IsoDate,
      lastDate: labels.at(-1) as IsoDate,
      figures: {
        return_inception: 5.9,
        return_30d: 3,
        annual_return: 40,
        ytd_return: null,
        return_1y: null,
        return_3y: null,
        return_5y: null,
        volatility: 10,
        sharpe_ratio: 1.2,
        sortino_ratio: 1.5,
        max_drawdown: 4,
        total_trades: 2,
        win_rate: 50,
        average_trade_return: 1,
        average_holding_period: 5,
      },
      series: {
        labels,
        data: labels.map((_, i) => 100_000 + i * 100),
        benchmark: labels.map((_, i) => 100_000 + i * 50),
        drawdown: labels.map(() => 0),
        monthly_returns: [{ year: 2025, months: [{ month: 11, return: 2.9 }] }],
      },
      trades: trades ?? [],
    },
    {
      ...gradeEvidence({
        inSample: returnsOf(equity),
        outOfSample: new Float64Array(),
        periodsPerYear: 252,
        ledger: { count: 1, sharpes: new Float64Array() },
        variants: [],
      }),
      trials: { tries: 1, failed: 0, variants: 0, byPersons: 0, renewals: 0 },
      family: {
        counted: 1,
        tries: 1,
        strategies: 1,
        byReturns: 0,
        furtherKinds: 0,
        variants: 0,
        all: 1,
        byProvider: true,
        markets: ['equity'],
        ruleKinds: ['price'],
      },
    },
  );
}

const DEFINITION = {
  language: 'bellwether-strategy/1',
  name: 'Calm Trend',
  benchmark: 'SPY',
  universe: ['SPY'],
  rule: { type: 'signals', enterLong: { op: 'above', left: 'close', right: 400 } },
};

function reportOf(dates: readonly IsoDate[], equity: Float64Array) {
  return performanceReport({
    dates,
    equity,
    benchmark: null,
    periodsPerYear: 252,
    trades: [],
    gross: new Float64Array(equity.length),
    bought: 0,
    sold: 0,
  });
}
