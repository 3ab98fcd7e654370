import type { CashEntry, CashLedger } from '#contract/cash-ledger.ts';
import { CASH_TOTAL_WORDS } from '#rules/deployments/cash-entry-text.ts';
import { openFile } from '../call/open-file.ts';
import { Button } from '../kit/control/button.tsx';
import { SaveButton } from '../kit/control/save-button.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useDeploymentCash } from './deployment-queries.ts';

/** Where the cash of a deployment came from and went to: the sums, then every movement. */
export function CashLedgerPanel({ deploymentId }: { deploymentId: string }) {
  const cash = useDeploymentCash(deploymentId);
  const save = () => openFile('downloadDeploymentCash', { params: { id: deploymentId } });
  const [newest] = cash.data?.pages ?? [];
  return (
    <section aria-labelledby="cash-ledger" className="grid gap-4">
      <SectionTitle
        id="cash-ledger"
        note="Every movement of this deployment's cash, in dollars."
        aside={
          <SaveButton save={save} small>
            CSV
          </SaveButton>
        }
      >
        Cash
      </SectionTitle>
      {newest ? (
        <div className="grid gap-x-12 gap-y-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
          <Totals ledger={newest} />
          <div className="min-w-0">
            <DataTable
              caption="Movements of cash"
              columns={COLUMNS}
              rows={cash.data!.pages.flatMap(({ entries }) => entries)}
              rowKey={({ id }) => id}
            />
            {cash.hasNextPage && (
              <Button
                variant="quiet"
                busy={cash.isFetchingNextPage}
                onClick={() => void cash.fetchNextPage()}
              >
                Show older
              </Button>
            )}
          </div>
        </div>
      ) : cash.isError ? (
        <ErrorState title="The cash ledger could not be loaded" onRetry={() => void cash.refetch()} />
      ) : (
        <Skeleton className="h-48" />
      )}
    </section>
  );
}

function Totals({ ledger: { totals, cash_balance: balance } }: { ledger: CashLedger }) {
  return (
    <dl className="self-start">
      {totals.map(({ kind, amount }) => (
        <StatRow key={kind} label={CASH_TOTAL_WORDS[kind]}>
          {showMoney(amount, { sign: true })}
        </StatRow>
      ))}
      <StatRow label="Cash now">{showMoney(balance)}</StatRow>
    </dl>
  );
}

const COLUMNS: readonly Column<CashEntry>[] = [
  {
    key: 'text',
    header: 'What',
    cell: ({ text, at, commission }) => (
      <span className="block min-w-36 whitespace-normal">
        {text}
        <span className="figures block text-xs text-ink-faint">
          {showDateTime(at)}
          {commission !== 0 && `, with commission of ${showMoney(commission)}`}
        </span>
      </span>
    ),
  },
  {
    key: 'amount',
    header: 'Cash',
    align: 'right',
    // Neither a gain nor a loss: a purchase only moves money.
    cell: ({ amount }) => showMoney(amount, { sign: true }),
    leads: true,
  },
  { key: 'balance', header: 'Balance', align: 'right', cell: ({ balance }) => showMoney(balance) },
];
