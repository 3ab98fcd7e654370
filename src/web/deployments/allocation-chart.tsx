import type { Deployment } from '#contract/deployments.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showMoney, showPercent } from '../kit/figure/show-figure.ts';

/** How the whole value is divided among the deployments, and how far each is exposed to the market. */
export function AllocationChart({ deployments }: { deployments: readonly Deployment[] }) {
  const parts = deployments
    .filter(({ equity }) => equity > 0)
    .toSorted((a, b) => b.equity - a.equity)
    .map((deployment) => ({ ...deployment, exposed: exposedShare(deployment) }));
  const total = parts.reduce((sum, { equity }) => sum + equity, 0);
  if (total <= 0) return null;
  return (
    <section className="grid gap-5">
      <SectionTitle note="Each block is a strategy; the filled part is invested, the rest is cash.">
        Allocation
      </SectionTitle>
      <div aria-hidden="true" className="flex h-7 gap-0.5">
        {parts.map(({ id, equity, exposed }) => (
          <div
            key={id}
            className="flex min-w-0.5 overflow-hidden rounded-[3px] border border-control-line"
            style={{ flexGrow: equity, flexBasis: 0 }}
          >
            <div className="bg-benchmark" style={{ width: `${Math.min(1, exposed) * 100}%` }} />
          </div>
        ))}
      </div>
      <dl className="grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
        {parts.map(({ id, strategy_name, equity, exposed }) => (
          <div key={id} className="flex items-baseline justify-between gap-4 border-b py-2.5 text-sm">
            <dt className="min-w-0 truncate text-ink-soft">{strategy_name}</dt>
            <dd className="figures shrink-0 text-right">
              {showPercent((equity / total) * 100, { decimals: 1 })}
              <span className="ml-2 text-ink-faint">{showMoney(equity, { cents: 'never' })}</span>
              <span className="block text-xs text-ink-faint">
                {showPercent(exposed * 100, { decimals: 0 })} in the market
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The size of all positions against the value; above 1 with borrowed money or margin. */
function exposedShare({ positions, equity }: Deployment): number {
  return positions.reduce((sum, { notional_value }) => sum + Math.abs(notional_value), 0) / equity;
}
