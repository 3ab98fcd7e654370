import type { StrategyTrade } from '#contract/strategies.ts';
import { Change } from '../kit/change.tsx';
import { DataTable, type Column } from '../kit/data-table.tsx';
import { showDate, showPrice } from '../kit/show-figure.ts';

const COLUMNS: readonly Column<StrategyTrade>[] = [
  {
    key: 'symbol',
    header: 'Symbol',
    cell: (trade) => (
      <>
        <span className="font-medium">{trade.symbol}</span>{' '}
        <span className="text-ink-faint">{trade.side}</span>
      </>
    ),
  },
  { key: 'entry_date', header: 'Entry Date', cell: (trade) => showDate(trade.entry_date) },
  { key: 'exit_date', header: 'Exit Date', cell: (trade) => showDate(trade.exit_date) },
  {
    key: 'entry_price',
    header: 'Entry Price',
    align: 'right',
    cell: (trade) => showPrice(trade.entry_price),
  },
  { key: 'exit_price', header: 'Exit Price', align: 'right', cell: (trade) => showPrice(trade.exit_price) },
  { key: 'pnl', header: 'Return', align: 'right', cell: (trade) => <Change value={trade.pnl} /> },
];

export function RecentTrades({ trades }: { trades: readonly StrategyTrade[] }) {
  return (
    <DataTable
      caption="Recent Trades"
      columns={COLUMNS}
      rows={trades}
      rowKey={(trade) => trade.id}
      empty="No trades closed yet"
    />
  );
}
