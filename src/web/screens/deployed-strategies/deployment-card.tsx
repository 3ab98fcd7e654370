import { SessionLine } from '../../brokerage/session-line.tsx';
import { Link } from '../../kit/control/link.tsx';
import { Change } from '../../kit/figure/change.tsx';
import { showCounted, showDate, showMoney, showPercent, showWord } from '../../kit/figure/show-figure.ts';
import { Badge } from '../../kit/state/badge.tsx';
import type { ListedDeployment } from '../../deployments/deployment-figures.ts';
import { ModeBadge } from '../../deployments/mode-badge.tsx';
import { ValueOfMode } from '../../deployments/value-of-mode.tsx';
import { StatusBadge } from '../../deployments/status-badge.tsx';

/** One deployment of the list: its state in words, what was put in, what it is worth, its limits. */
export function DeploymentCard({ item }: { item: ListedDeployment }) {
  const { deployment } = item;
  const isPractice = deployment.mode === 'practice';
  const href = `/deployed-strategies/${deployment.id}`;
  return (
    <article className="rounded-surface border bg-surface p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="font-serif text-lg">
            <Link to={href} data-item className="rounded-control hover:text-accent">
              {deployment.strategy_name}
            </Link>
          </h2>
          <div className="mt-2 flex flex-wrap items-center gap-2">
            <ModeBadge mode={deployment.mode} />
            <StatusBadge deployment={deployment} />
            <Badge>{showWord(deployment.risk_level)} risk</Badge>
            <Badge tone={item.pnl > 0 ? 'gain' : 'neutral'}>
              {item.pnl > 0 ? 'Profitable' : 'Underperforming'}
            </Badge>
          </div>
          <p className="mt-2 text-sm text-ink-faint">
            Deployed {showDate(deployment.deployed_at)}, {showCounted(deployment.days_active, 'day')} ago
          </p>
        </div>
        <div className="sm:text-right">
          <p className="figures text-xl font-light">
            <ValueOfMode deployment={deployment} />
          </p>
          <p className="text-sm">
            <Change value={item.pnl} unit="money" /> <Change value={item.pnlPercent} />
          </p>
        </div>
      </div>
      {deployment.status_reason && <p className="mt-4 text-sm text-caution">{deployment.status_reason}</p>}
      <SessionLine session={deployment.broker_session} className="mt-4 block" />
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4 border-t pt-5 text-sm sm:grid-cols-3 lg:grid-cols-6">
        <Fact name={isPractice ? 'Practice money' : 'Investment'}>
          {showMoney(deployment.investment_amount)}
        </Fact>
        <Fact name={isPractice ? 'Practice value' : 'Current Value'}>{showMoney(deployment.equity)}</Fact>
        <Fact name="Positions">
          {deployment.open_positions}, {showMoney(deployment.position_value)}
        </Fact>
        <Fact name="Cash">{showMoney(deployment.cash_balance)}</Fact>
        <Fact name="Stop Loss">{showPercent(deployment.stop_loss_percentage, { decimals: 0 })}</Fact>
        <Fact name="Max Allocation">{showPercent(deployment.max_allocation_per_trade, { decimals: 0 })}</Fact>
      </dl>
      <div className="mt-5 flex justify-end">
        <Link
          to={href}
          className="rounded-control text-sm font-medium text-accent hover:underline"
          aria-label={`Details of ${deployment.strategy_name}`}
        >
          Details
        </Link>
      </div>
    </article>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-faint">{name}</dt>
      <dd className="figures mt-0.5">{children}</dd>
    </div>
  );
}
