import type { StrategyTrade } from '#contract/strategies/strategies.ts';
import { Change } from '../kit/figure/change.tsx';
import { DataTable, type Column } from '../kit/figure/data-table.tsx';
import { showDate, showPrice } from '../kit/figure/show-figure.ts';
import { TextureKey } from '../kit/figure/texture-key.tsx';

const SYMBOL: Column<StrategyTrade> = {
  key: 'symbol',
  header: 'Symbol',
  cell: (trade) => (
    <>
      <span className="font-medium">{trade.symbol}</span> <span className="text-ink-faint">{trade.side}</span>
    </>
  ),
};

const COLUMNS: readonly Column<StrategyTrade>[] = [
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

/** A trade belongs to the part of the record in which it was closed. */
function sampleColumn(committedOn: string): Column<StrategyTrade> {
  return {
    key: 'sample',
    header: 'Sample',
    cell: (trade) => (
      <TextureKey texture={trade.exit_date > committedOn ? 'out-of-sample' : 'in-sample'} words={false} />
    ),
  };
}

export function RecentTrades({
  trades,
  committedOn,
}: {
  trades: readonly StrategyTrade[];
  /** The day that the rules were committed. */
  committedOn: string;
}) {
  return (
    <DataTable
      caption="Recent Trades"
      columns={[SYMBOL, sampleColumn(committedOn), ...COLUMNS]}
      rows={trades}
      rowKey={(trade) => trade.id}
      empty="No trades closed yet"
    />
  );
}
