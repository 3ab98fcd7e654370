import { feeText } from '#rules/eligibility/qualified-client.ts';
import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { TextLink } from '../kit/control/text-link.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { FeeBillTable } from './fee-bill-table.tsx';
import type { MovingFigures } from './accrual-now.ts';
import { useFeeBills, useFeePayment } from './fee-queries.ts';
import { RunningPeriod } from './running-period.tsx';

/** The newest bills, of one deployment or of all. While a deployment runs, its fee so far comes first. */
export function FeePanel({
  deploymentId,
  isOwnStrategy = false,
  now = null,
  limit,
}: {
  deploymentId?: string;
  isOwnStrategy?: boolean;
  /** Of a deployment that runs, as its page shows it. */
  now?: MovingFigures | null;
  limit: number;
}) {
  const ofOne = deploymentId !== undefined;
  const payment = useFeePayment();
  const bills = useFeeBills({ limit, ...(ofOne && { deployment: deploymentId }) });
  return (
    <section aria-labelledby="fees" className="grid gap-4">
      <SectionTitle
        id="fees"
        note={isOwnStrategy ? feeText('own_strategy') : feeNote(payment.data?.fee_percent)}
      >
        Performance Fee
      </SectionTitle>
      {ofOne && now !== null && <RunningPeriod deploymentId={deploymentId} now={now} />}
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

/** What is true for this person today; a bill says what was true for it. */
function feeNote(percent: number | undefined): string {
  if (percent === 0) return feeText('no_attestation');
  return `${percent ?? PERFORMANCE_FEE_PERCENT}% of profit above the high-water mark.`;
}
