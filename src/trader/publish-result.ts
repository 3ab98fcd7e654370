// The published figures of a strategy version: the engine's run over all closed bars, kept with the hashes of what
// went in and what came out, so that the same input can be run again and compared.
import { backtest, type BacktestResult, type BacktestSettings } from '#engine/backtest.ts';
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { sha256Hex } from '#engine/evidence/sha256.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { type BacktestSummary, summarize } from '#engine/summarize.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import type { BacktestFigures, BacktestTrade, StoredBacktest } from '#records/backtests.ts';
import type { MeasuredRisk } from '#rules/suitability/strategy-risk.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { fromMicro, toMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import { tradingTerms } from './trading-terms.ts';

/** Grows with every change of the engine that changes a result. */
const ENGINE_VERSION = '1';

/** Half of a usual spread, paid at every fill. */
const SLIPPAGE_RATE = 0.0005;

/** Published results start from one amount for all, with no personal limits. */
const INITIAL_DOLLARS = 100_000;

export type PublishedResult = { readonly stored: StoredBacktest; readonly risk: MeasuredRisk };

/** Null while the bars are too few for the figures to be defined. */
export function publishResult(input: {
  readonly versionId: StrategyVersionId;
  readonly definition: StrategyDefinition;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  /** Closed bars of every symbol that the definition reads. */
  readonly series: ReadonlyMap<Symbol, BarSeries>;
}): PublishedResult | null {
  const { definition, instruments, series } = input;
  const settings = publishedSettings(instruments);
  const result = backtest({ definition, instruments, series, settings });
  const summary = summarize({ definition, instruments }, result, series.get(definition.benchmark) ?? null);
  const figures = wholeFigures(summary);
  const first = summary.labels[0];
  const last = summary.labels.at(-1);
  if (figures === null || first === undefined || last === undefined) return null;
  const stored: StoredBacktest = {
    versionId: input.versionId,
    inputHash: inputHash(definition, series, settings),
    resultHash: resultHash(result),
    firstDate: first,
    lastDate: last,
    figures,
    series: {
      labels: summary.labels,
      data: summary.data,
      benchmark: summary.benchmark,
      drawdown: summary.drawdown,
      monthly_returns: summary.monthlyReturns.map(({ year, months }) => ({
        year,
        months: months.map((one) => ({ month: one.month, return: one.return * 100 })),
      })),
    },
    trades: result.trades.map(showTrade),
  };
  return {
    stored,
    risk: {
      volatilityPercent: figures.volatility,
      maxDrawdownPercent: figures.max_drawdown,
      leverage: summary.report.maxGross ?? 0,
    },
  };
}

/** The symbols whose bars a result needs. */
export function symbolsOfResult(definition: StrategyDefinition): readonly Symbol[] {
  return [...new Set([...symbolsRead(definition), definition.benchmark])];
}

function publishedSettings(instruments: ReadonlyMap<Symbol, Instrument>): BacktestSettings {
  const { commissionRate, collar, noTradeBand } = tradingTerms(instruments);
  return {
    initialCash: toMicro(INITIAL_DOLLARS),
    commissionRate,
    slippageRate: SLIPPAGE_RATE,
    limits: { stopLossPercent: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar,
    noTradeBand,
  };
}

function wholeFigures({ figures, report }: BacktestSummary): BacktestFigures | null {
  const { return_inception, annual_return, volatility, sharpe_ratio, sortino_ratio, max_drawdown } = figures;
  if (return_inception === null || annual_return === null || volatility === null) return null;
  if (sharpe_ratio === null || sortino_ratio === null || max_drawdown === null) return null;
  const percent = (fraction: number | null) => (fraction === null ? null : fraction * 100);
  return {
    ...figures,
    return_inception,
    annual_return,
    volatility,
    sharpe_ratio,
    sortino_ratio,
    max_drawdown,
    return_3y: percent(report.return3y),
    return_5y: percent(report.return5y),
  };
}

/** hash(engine, definition, data, costs). */
function inputHash(
  definition: StrategyDefinition,
  series: ReadonlyMap<Symbol, BarSeries>,
  settings: BacktestSettings,
): string {
  const data = [...series.values()]
    .sort((left, right) => (left.symbol < right.symbol ? -1 : 1))
    .map((bars) => [bars.symbol, columnsHash([bars.closedAt, bars.open, bars.high, bars.low, bars.close])]);
  return sha256Hex(
    canonicalJson({ engine: ENGINE_VERSION, definition: definitionHash(definition), data, settings }),
  );
}

function resultHash(result: BacktestResult): string {
  const { timeline, equity, cash, exposure, fills } = result;
  const columns = columnsHash([timeline, equity, cash, exposure]);
  return sha256Hex(canonicalJson({ columns, fills }));
}

/** Of the exact decimal text of every value, so that it can be computed anywhere. */
function columnsHash(columns: readonly Float64Array[]): string {
  return sha256Hex(columns.map((column) => column.join(',')).join('\n'));
}

function showTrade(trade: BacktestResult['trades'][number], index: number): BacktestTrade {
  return {
    id: String(index + 1),
    symbol: trade.symbol,
    side: trade.side,
    entry_date: dayBefore(trade.entryAt),
    exit_date: dayBefore(trade.exitAt),
    entry_price: trade.entryPrice,
    exit_price: trade.exitPrice,
    quantity: fromQuantity(trade.quantity),
    pnl: trade.returnPercent,
    pnl_amount: fromMicro(trade.pnl),
  };
}

/** The day that a bar closing at `at` belongs to: one that closes at midnight is the day before's. */
function dayBefore(at: Instant): IsoDate {
  return utcDate((at - 1) as Instant);
}
