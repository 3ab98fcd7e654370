import { ArrowLeft, Printer } from 'lucide-react';
import { useParams } from 'react-router';
import type { FeeBill } from '#contract/fees.ts';
import { CallError } from '../../call/call-error.ts';
import { DownloadButton } from '../../fees/download-button.tsx';
import { FeeBillFigures } from '../../fees/fee-bill-figures.tsx';
import { useFeeBill } from '../../fees/fee-queries.ts';
import { PayBill } from '../../fees/pay-bill.tsx';
import { Recomputation } from '../../fees/recomputation.tsx';
import { Button } from '../../kit/control/button.tsx';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { Link } from '../../kit/control/link.tsx';
import { showMoney } from '../../kit/figure/show-figure.ts';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';

/** One bill with all figures behind it. */
export function FeeBillScreen() {
  const { id = '' } = useParams();
  const bill = useFeeBill(id);
  usePageTitle('Performance fee bill');
  if (bill.isPending) return <LoadingText>Loading the bill...</LoadingText>;
  if (bill.data === undefined) {
    const isAbsent = bill.error instanceof CallError && bill.error.status === 404;
    return (
      <ErrorState
        heading="h1"
        title={isAbsent ? 'Bill not found' : 'Failed to load the bill'}
        onRetry={isAbsent ? undefined : () => void bill.refetch()}
        action={
          <ButtonLink to="/fees" variant="secondary">
            Back to your fee bills
          </ButtonLink>
        }
      >
        {isAbsent ? 'This bill does not exist in your account.' : 'The bill has not changed.'}
      </ErrorState>
    );
  }
  return <Shown bill={bill.data} />;
}

function Shown({ bill }: { bill: FeeBill }) {
  return (
    <article className="mx-auto grid max-w-2xl gap-8">
      <Link
        to="/fees"
        className="inline-flex items-center gap-2 rounded-control text-sm text-ink-soft hover:text-ink print:hidden"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        Back to your fee bills
      </Link>
      <div>
        <header className="flex flex-wrap items-end justify-between gap-4 border-b pb-5">
          <div>
            <h1 className="font-serif text-xl sm:text-2xl">Performance fee, bill {bill.number}</h1>
            <p className="mt-1 text-ink-soft">
              <Link
                to={`/deployed-strategies/${bill.deployment}`}
                className="rounded-control text-accent hover:underline"
              >
                {bill.strategy_name}
              </Link>
            </p>
          </div>
          <p className="figures text-xl">{showMoney(bill.fee)}</p>
        </header>
        <div className="mt-2">
          <FeeBillFigures bill={bill} />
        </div>
      </div>
      <div className="print:hidden">
        <PayBill bill={bill} />
      </div>
      <Recomputation bill={bill} />
      <div className="flex flex-wrap gap-3 print:hidden">
        <DownloadButton name="downloadFeeStatement" id={bill.id}>
          Download PDF
        </DownloadButton>
        <DownloadButton name="downloadFeeBill" id={bill.id}>
          Download CSV
        </DownloadButton>
        <Button
          variant="secondary"
          icon={<Printer className="size-4" aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </div>
    </article>
  );
}
