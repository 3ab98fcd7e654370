import { Download } from 'lucide-react';
import { useState } from 'react';
import type { ClosedTrade } from '#contract/closed-trades.ts';
import { openFile } from '../call/open-file.ts';
import { Button } from '../kit/control/button.tsx';
import { Change } from '../kit/figure/change.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showDate, showMoney, showPrice, showQuantity } from '../kit/figure/show-figure.ts';
import { showToast } from '../kit/overlay/toast.ts';
import { usePrinting } from '../kit/page/use-printing.ts';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { TRADES_MAX, useClosedTrades } from './deployment-queries.ts';

const ROWS_STEP = 25;

/** What was entered and left again, newest first: what the win rate counts. */
export function ClosedTradesTable({ deploymentId }: { deploymentId: string }) {
  const trades = useClosedTrades(deploymentId);
  const [asked, setAsked] = useState(ROWS_STEP);
  const isPrinting = usePrinting();
  if (trades.data === undefined)
    return trades.isError ? (
      <ErrorState title="The closed trades could not be loaded" onRetry={() => void trades.refetch()} />
    ) : (
      <Skeleton className="h-32" />
    );
  const shown = isPrinting ? trades.data.length : Math.min(asked, trades.data.length);
  return (
    <>
      <DataTable
        caption="Closed Trades"
        columns={COLUMNS}
        rows={trades.data.slice(0, shown)}
        rowKey={({ id }) => id}
        empty="No trade has closed yet. A trade closes once its position is zero again."
      />
      {trades.data.length > shown && (
        <div className="text-center">
          <Button variant="quiet" onClick={() => setAsked(shown + ROWS_STEP)}>
            Show {Math.min(ROWS_STEP, trades.data.length - shown)} more of {trades.data.length}
          </Button>
        </div>
      )}
      {shown === TRADES_MAX && (
        <p className="text-sm text-ink-soft">
          These are the newest {TRADES_MAX} closed trades. The CSV has all of them.
        </p>
      )}
    </>
  );
}

export function SaveCsv({
  of,
  deploymentId,
}: {
  of: 'downloadClosedTrades' | 'downloadDeploymentTrades';
  deploymentId: string;
}) {
  const [busy, setBusy] = useState(false);
  const label = of === 'downloadClosedTrades' ? 'Closed trades as CSV' : 'Orders as CSV';
  const save = async () => {
    setBusy(true);
    try {
      await openFile(of, { params: { id: deploymentId } });
    } catch {
      showToast({ type: 'error', title: 'The file could not be saved. Please try again.' });
    }
    setBusy(false);
  };
  return (
    <Button variant="secondary" size="small" busy={busy} aria-label={label} onClick={() => void save()}>
      <Download className="size-4" aria-hidden="true" />
      CSV
    </Button>
  );
}

const COLUMNS: readonly Column<ClosedTrade>[] = [
  {
    key: 'symbol',
    header: 'Symbol',
    cell: ({ ticker, side, text }) => (
      <>
        <span className="font-medium">{ticker}</span> <span className="text-ink-faint">{side}</span>
        {text !== '' && <span className="block text-xs text-ink-faint">{text}</span>}
      </>
    ),
  },
  {
    key: 'opened',
    header: 'Opened',
    cell: ({ opened_at: at }) => showDate(at),
  },
  { key: 'closed', header: 'Closed', cell: ({ closed_at: at }) => showDate(at) },
  { key: 'quantity', header: 'Quantity', align: 'right', cell: ({ quantity }) => showQuantity(quantity) },
  { key: 'entry', header: 'Entry', align: 'right', cell: ({ entry_price: price }) => showPrice(price) },
  { key: 'exit', header: 'Exit', align: 'right', cell: ({ exit_price: price }) => showPrice(price) },
  {
    key: 'income',
    header: 'Income',
    align: 'right',
    cell: ({ income }) => <Change value={income} unit="money" />,
  },
  {
    key: 'commission',
    header: 'Commission',
    align: 'right',
    cell: ({ commission }) => showMoney(commission),
  },
  {
    key: 'pnl',
    header: 'P&L',
    align: 'right',
    cell: ({ pnl, pnl_percentage: percent }) => (
      <>
        <Change value={pnl} unit="money" />
        <span className="block text-xs">
          <Change value={percent} />
        </span>
      </>
    ),
  },
];
