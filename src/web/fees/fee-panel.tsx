import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { TextLink } from '../kit/control/text-link.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { FeeBillTable } from './fee-bill-table.tsx';
import { useFeeBills } from './fee-queries.ts';
import { RunningPeriod } from './running-period.tsx';

/** The newest bills, of one deployment or of all. While a deployment runs, its fee so far comes first. */
export function FeePanel({
  deploymentId,
  isRunning = false,
  limit,
}: {
  deploymentId?: string;
  isRunning?: boolean;
  limit: number;
}) {
  const ofOne = deploymentId !== undefined;
  const bills = useFeeBills({ limit, ...(ofOne && { deployment: deploymentId }) });
  return (
    <section aria-labelledby="fees" className="grid gap-4">
      <SectionTitle id="fees" note={`${PERFORMANCE_FEE_PERCENT}% of profit above the high-water mark.`}>
        Performance Fee
      </SectionTitle>
      {ofOne && isRunning && <RunningPeriod deploymentId={deploymentId} />}
      {bills.isPending && <Skeleton className="h-24" />}
      {bills.isError && (
        <ErrorState title="The fee bills could not be loaded" onRetry={() => void bills.refetch()} />
      )}
      {bills.data?.length === 0 && (
        <p className="text-sm text-ink-soft">
          No bill yet. The first one follows the first full period. The final one waits up to five days for
          the commissions of your broker.
        </p>
      )}
      {bills.data !== undefined && bills.data.length > 0 && (
        <>
          <FeeBillTable bills={bills.data} ofOne={ofOne} />
          <p className="text-sm">
            <TextLink to="/fees">See all fee bills</TextLink>
          </p>
        </>
      )}
    </section>
  );
}
