// The dashboard's figures over all of a person's deployments (specification, section 2, Dashboard), and the win rate
// of section 9. Promises exact sums of money, and null rather than a figure where there is nothing to measure.
import { add, type Micro, subtract } from '#units/money.ts';
import { type DeploymentStatus, hasEnded } from '#engine/lifecycle/status.ts';

export type DeploymentFigures = {
  readonly status: DeploymentStatus;
  readonly investment: Micro;
  readonly cash: Micro;
  readonly equity: Micro;
  readonly unrealized: Micro;
  readonly openPositions: number;
  /** Executed trades. */
  readonly trades: number;
};

export type PortfolioSummary = {
  /** Equity of the deployments that have not ended. */
  readonly currentValue: Micro;
  readonly investment: Micro;
  readonly change: Micro;
  /** Of the investment; null when nothing is invested. */
  readonly changePercent: number | null;
  readonly cash: Micro;
  readonly positionValue: Micro;
  readonly unrealized: Micro;
  readonly activeDeployments: number;
  readonly openPositions: number;
  /** Over all deployments, the ended ones too. */
  readonly trades: number;
};

export function portfolioSummary(deployments: readonly DeploymentFigures[]): PortfolioSummary {
  const running = deployments.filter((deployment) => !hasEnded(deployment.status));
  const cash = add(...running.map((deployment) => deployment.cash));
  const investment = add(...running.map((deployment) => deployment.investment));
  const currentValue = add(...running.map((deployment) => deployment.equity));
  const change = subtract(currentValue, investment);
  return {
    currentValue,
    investment,
    change,
    changePercent: investment > 0 ? (change * 100) / investment : null,
    cash,
    positionValue: subtract(currentValue, cash),
    unrealized: add(...running.map((deployment) => deployment.unrealized)),
    activeDeployments: running.filter((deployment) => deployment.status === 'active').length,
    openPositions: running.reduce((sum, deployment) => sum + deployment.openPositions, 0),
    trades: deployments.reduce((sum, deployment) => sum + deployment.trades, 0),
  };
}

/**
 * Section 9: profitable closed trades divided by closed trades with a profit or loss other than zero, of all deployments
 * together, in percent. Null when there are none.
 */
export function winRatePercent(
  deployments: readonly { readonly won: number; readonly lost: number }[],
): number | null {
  const won = deployments.reduce((sum, one) => sum + one.won, 0);
  const decided = deployments.reduce((sum, one) => sum + one.lost, won);
  return decided === 0 ? null : (won / decided) * 100;
}
