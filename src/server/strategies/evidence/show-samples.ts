import type { SampleResults } from '#contract/strategies/evidence.ts';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { SampleReport, SampleReports } from '#engine/evidence/sample-reports.ts';

/** The record before and after the commit, each part measured separately. */
export function showSamples({ inSample, outOfSample, known = null }: SampleReports): Strategy['samples'] {
  return {
    in_sample: inSample && showSample(inSample),
    out_of_sample: outOfSample && showSample(outOfSample),
    known: known && showSample(known),
  };
}

function showSample({ firstDate, lastDate, periods, gross, net }: SampleReport): SampleResults {
  const isYear = (Date.parse(lastDate) - Date.parse(firstDate)) / DAY_MS >= DAYS_A_YEAR;
  return {
    from: firstDate,
    to: lastDate,
    days: periods,
    total_return: percent(gross.totalReturn),
    annual_return: isYear ? percent(gross.annualReturn) : null,
    total_return_after_fee: percent(net.totalReturn),
    annual_return_after_fee: isYear ? percent(net.annualReturn) : null,
    max_drawdown: percent(gross.maxDrawdown),
    volatility: percent(gross.volatility),
    sharpe_ratio: isYear ? gross.sharpe : null,
    sortino_ratio: isYear ? gross.sortino : null,
    total_trades: gross.trades,
    win_rate: percent(gross.winRate),
    average_trade_return: percent(gross.averageTradeReturn),
    average_holding_period: gross.averageHoldingDays,
  };
}

function percent(fraction: number | null): number | null {
  return fraction === null ? null : fraction * 100;
}

const DAY_MS = 86_400_000;
const DAYS_A_YEAR = 365;
