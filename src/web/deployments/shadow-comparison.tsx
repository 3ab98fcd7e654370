import type { ShadowComparison as Comparison } from '#contract/compare-shadow.ts';
import type { Deployment } from '#contract/deployments.ts';
import { showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useShadowComparison } from './deployment-queries.ts';

/** A deployment and its practice shadow: both values, and what their difference consists of. */
export function ShadowComparison({ deployment }: { deployment: Deployment }) {
  if (deployment.shadow === null && deployment.shadow_of === null) return null;
  return <Panel id={deployment.id} />;
}

function Panel({ id }: { id: string }) {
  const comparison = useShadowComparison(id);
  const { data } = comparison;
  return (
    <section aria-labelledby="shadow" className="grid gap-4">
      <SectionTitle
        id="shadow"
        note={
          data === undefined
            ? 'The same strategy with practice money.'
            : `The same strategy with practice money, compared ${showDateTime(data.as_of)}.`
        }
      >
        Beside Practice
      </SectionTitle>
      {data !== undefined ? (
        <Difference comparison={data} />
      ) : comparison.isError ? (
        <ErrorState title="The comparison could not be loaded" onRetry={() => void comparison.refetch()} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </section>
  );
}

function Difference({ comparison }: { comparison: Comparison }) {
  const { practice_value: practice, real_value: real, difference, causes } = comparison;
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
      <dl>
        <StatRow label="Practice">{showMoney(practice)}</StatRow>
        <StatRow label="Your account">{showMoney(real)}</StatRow>
        <StatRow label={difference < 0 ? 'Practice is behind by' : 'Practice is ahead by'}>
          {showMoney(Math.abs(difference))}
        </StatRow>
      </dl>
      {causes.length === 0 ? (
        <p className="text-sm text-ink-soft">Both have done the same so far.</p>
      ) : (
        <div>
          <h3 id="shadow-causes" className="text-sm font-medium">
            What the difference consists of
          </h3>
          <p className="mt-1 text-xs text-ink-faint">Plus is in favour of practice, minus of your account.</p>
          <dl aria-labelledby="shadow-causes" className="mt-1">
            {causes.map(({ cause, amount }) => {
              const { label, note } = CAUSES[cause];
              return (
                <StatRow key={cause} label={label} note={note}>
                  {showMoney(amount, { sign: true })}
                </StatRow>
              );
            })}
          </dl>
        </div>
      )}
    </div>
  );
}

type Cause = Comparison['causes'][number]['cause'];

const CAUSES: { readonly [cause in Cause]: { readonly label: string; readonly note?: string } } = {
  invested: { label: 'Amount invested' },
  earlier: {
    label: 'Positions from before yours began',
    note: 'Practice held them already, and traded them on',
  },
  prices: { label: 'Fills at other prices' },
  late: { label: 'Fills at another time', note: 'A quarter of an hour or more apart' },
  one_sided: {
    label: 'Orders that only one of them filled',
    note: 'Refused, withdrawn, expired or not needed on the other side',
  },
  sizes: { label: 'Orders of other sizes' },
  commissions: { label: 'Commissions' },
  financing: { label: 'Dividends and financing' },
  adjustments: { label: 'Corrections by hand' },
  valued_apart: {
    label: 'Prices of different moments',
    note: 'One side was valued later than the other',
  },
  rest: { label: 'Exchange rates, expiries and rounding' },
};
