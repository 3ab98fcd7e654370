import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { AutomaticPayment } from '../../fees/automatic-payment.tsx';
import { DownloadButton } from '../../fees/download-button.tsx';
import { FeeBillTable } from '../../fees/fee-bill-table.tsx';
import { useFeeBills } from '../../fees/fee-queries.ts';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { EmptyState } from '../../kit/state/empty-state.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';

/** Every bill of the performance fee, newest first. */
export function Fees() {
  usePageTitle('Performance fee bills');
  const bills = useFeeBills({});
  return (
    <div className="grid gap-8">
      <PageTitle
        actions={
          bills.data !== undefined &&
          bills.data.length > 0 && (
            <DownloadButton name="downloadFeeBills" id={undefined}>
              Download CSV
            </DownloadButton>
          )
        }
        lead={`${PERFORMANCE_FEE_PERCENT}% of profit above the high-water mark, billed after each period. Plans are billed separately.`}
      >
        Performance Fee Bills
      </PageTitle>
      <AutomaticPayment />
      {bills.isPending && <LoadingText>Loading your fee bills...</LoadingText>}
      {bills.isError && (
        <ErrorState title="Failed to load your fee bills" onRetry={() => void bills.refetch()} />
      )}
      {bills.data?.length === 0 && (
        <EmptyState title="No bills yet">
          The first bill follows the first full period of a deployment. No profit, no fee.
        </EmptyState>
      )}
      {bills.data !== undefined && bills.data.length > 0 && <FeeBillTable bills={bills.data} />}
    </div>
  );
}
