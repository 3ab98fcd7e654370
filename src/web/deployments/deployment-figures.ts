// What the screens derive from a deployment as it came over the wire, by the rules' own arithmetic.
import type { Deployment } from '#contract/deployments.ts';
import type { BenchmarkedSeries } from '#contract/strategies/series.ts';
import type { DeployedItem } from '#rules/portfolio/deployed-list.ts';
import { type PortfolioSummary, portfolioSummary } from '#rules/portfolio/portfolio-summary.ts';
import { add, fromMicro, type Micro, subtract, toMicro } from '#units/money.ts';

/** Practice money is nobody's: no total holds it. */
export function withoutPractice<One extends Pick<Deployment, 'mode'>>(
  deployments: readonly One[],
): readonly One[] {
  return deployments.filter(({ mode }) => mode !== 'practice');
}

/** The money figures of all of a person's deployments, in dollars. */
export type PortfolioFigures = {
  readonly [Name in keyof PortfolioSummary]: PortfolioSummary[Name] extends Micro
    ? number
    : PortfolioSummary[Name];
};

export function portfolioFigures(deployments: readonly Deployment[]): PortfolioFigures {
  const summary = portfolioSummary(
    deployments.map((deployment) => ({
      status: deployment.status,
      investment: toMicro(deployment.investment_amount),
      cash: toMicro(deployment.cash_balance),
      equity: toMicro(deployment.equity),
      unrealized: toMicro(deployment.unrealized_pnl),
      openPositions: deployment.open_positions,
      trades: deployment.total_trades,
    })),
  );
  return {
    ...summary,
    currentValue: fromMicro(summary.currentValue),
    investment: fromMicro(summary.investment),
    change: fromMicro(summary.change),
    cash: fromMicro(summary.cash),
    positionValue: fromMicro(summary.positionValue),
    unrealized: fromMicro(summary.unrealized),
  };
}

/** What all of them are worth together, the ended ones at their last value, in dollars. */
export function valueOf(deployments: readonly Deployment[]): number {
  return fromMicro(add(...deployments.map(({ equity }) => toMicro(equity))));
}

/** What had been put into them by each day, in dollars, the ended ones too: a rise of this line is no gain. */
export function investedBy(
  labels: readonly string[],
  deployments: readonly Pick<Deployment, 'deployed_at' | 'investment_amount' | 'flows'>[],
): readonly number[] {
  return labels.map((label) => {
    const day = label.slice(0, 10);
    const begun = deployments.filter(({ deployed_at }) => deployed_at.slice(0, 10) <= day);
    const later = begun.flatMap(({ flows }) => flows.filter(({ at }) => at.slice(0, 10) > day));
    const now = add(...begun.map(({ investment_amount }) => toMicro(investment_amount)));
    return fromMicro(subtract(now, add(...later.map(({ amount }) => toMicro(amount)))));
  });
}

/**
 * What all of them gained or lost since the last close before today, in dollars; money that came in since is no gain. Null
 * before there is such a close.
 */
export function changeToday(
  series: Pick<BenchmarkedSeries, 'labels' | 'data'> | null | undefined,
  deployments: readonly Deployment[],
  asOf: string | undefined,
): number | null {
  if (!series || asOf === undefined) return null;
  const today = asOf.slice(0, 10);
  const before = series.labels.findLastIndex((label) => label.slice(0, 10) < today);
  if (before < 0) return null;
  const [then, now] = investedBy([series.labels[before]!, today], deployments) as [number, number];
  return valueOf(deployments) - series.data[before]! - (now - then);
}

/** Profit and loss since the start, realised and not, in dollars. */
export function profitOf(deployment: Deployment): number {
  return fromMicro((toMicro(deployment.equity) - toMicro(deployment.investment_amount)) as Micro);
}

export type ListedDeployment = DeployedItem & { readonly deployment: Deployment };

export function toListed(deployment: Deployment): ListedDeployment {
  return {
    deployment,
    name: deployment.strategy_name,
    status: deployment.status,
    pnl: profitOf(deployment),
    pnlPercent: deployment.return_percent,
    value: deployment.equity,
    deployedAt: deployment.deployed_at,
    daysActive: deployment.days_active,
    openPositions: deployment.open_positions,
  };
}

/** Dollars: below it a deployment with this peak and this limit in percent is frozen. */
export function freezeFloor(peak: number, limitPercent: number): number {
  return peak * (1 - limitPercent / 100);
}
