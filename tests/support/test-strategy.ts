// A published strategy with a small stored result.
import { randomUUID } from 'node:crypto';
import { saveBacktest, type BacktestTrade } from '../../src/records/backtests.ts';
import type { StrategyVersionId } from '../../src/units/identifiers.ts';
import type { IsoDate } from '../../src/units/instant.ts';
import type { TestApp } from './test-app.ts';

type Listed = {
  readonly name?: string;
  readonly kind?: string;
  readonly riskScore?: number;
  readonly status?: string;
  readonly minInvestment?: number;
  readonly trades?: readonly BacktestTrade[];
};

/** Answers the strategy's id. */
export async function publishedStrategy({ records }: TestApp, listed: Listed = {}): Promise<string> {
  const [id, version] = [randomUUID(), randomUUID() as string as StrategyVersionId];
  const {
    name = 'Calm Trend',
    kind = 'equity',
    riskScore = 3,
    status = 'published',
    minInvestment = 5_000,
  } = listed;
  await records.pool.query(
    `insert into strategies (id, slug, name, short_description, description, kind, strategy_type, market, risk_level,
       risk_score, min_investment_micro, status)
     values ($1, $1::uuid::text, $2, 'short', 'long', $3, 'momentum', 'us', 'medium', $4, $5, $6)`,
    [id, name, kind, riskScore, minInvestment * 1_000_000, status],
  );
  await records.pool.query(
    `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
     values ($1, $2, 1, '{}', 'h', now())`,
    [version, id],
  );
  const labels = Array.from({ length: 60 }, (_, i) =>
    new Date(Date.UTC(2025, 10, 1 + i)).toISOString().slice(0, 10),
  );
  await saveBacktest(records.database, {
    versionId: version,
    inputHash: 'in',
    resultHash: 'out',
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
    trades: listed.trades ?? [],
  });
  return id;
}
