import type { ClosedTrade } from '#contract/closed-trades.ts';
import { openFile } from '../call/open-file.ts';
import { SaveButton } from '../kit/control/save-button.tsx';
import { Change } from '../kit/figure/change.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showDate, showMoney, showPrice, showQuantity } from '../kit/figure/show-figure.ts';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { useClosedTrades } from './deployment-queries.ts';
import { useNewestRows } from './use-newest-rows.tsx';

/** What was entered and left again, newest first: what the win rate counts. */
export function ClosedTradesTable({ deploymentId }: { deploymentId: string }) {
  const trades = useClosedTrades(deploymentId);
  const { shown, more } = useNewestRows(trades.data ?? [], 'closed trades');
  if (trades.data === undefined)
    return trades.isError ? (
      <ErrorState title="The closed trades could not be loaded" onRetry={() => void trades.refetch()} />
    ) : (
      <Skeleton className="h-32" />
    );
  return (
    <>
      <DataTable
        caption="Closed Trades"
        columns={COLUMNS}
        rows={shown}
        rowKey={({ id }) => id}
        empty="No trade has closed yet. A trade closes once its position is zero again."
      />
      {more}
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
  const label = of === 'downloadClosedTrades' ? 'Closed trades as CSV' : 'Orders as CSV';
  return (
    <SaveButton small label={label} save={() => openFile(of, { params: { id: deploymentId } })}>
      CSV
    </SaveButton>
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
