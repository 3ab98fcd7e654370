import type { ClosedLot } from '#contract/portfolio.ts';
import { Change } from '../kit/figure/change.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showDate, showMoney, showQuantity } from '../kit/figure/show-figure.ts';

/** Sales by the lots that they closed. */
export function ClosedLotTable({ lots }: { lots: readonly ClosedLot[] }) {
  const rows = lots.map((lot, place) => ({ ...lot, place }));
  return (
    <DataTable
      caption="Closed lots"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ place }) => String(place)}
      empty="Nothing was sold in this period."
    />
  );
}

const COLUMNS: readonly Column<ClosedLot>[] = [
  {
    key: 'what',
    header: 'Sold',
    cell: ({ quantity, ticker, side, strategy_name, opened_on, closed_on }) => (
      <>
        {showQuantity(quantity)} {ticker}
        {side === 'short' && ', short'}
        <span className="block text-xs text-ink-faint">
          {strategy_name}
          <br />
          {showDate(opened_on)} to {showDate(closed_on)}
        </span>
      </>
    ),
  },
  { key: 'proceeds', header: 'Proceeds', align: 'right', cell: ({ proceeds }) => showMoney(proceeds) },
  { key: 'basis', header: 'Basis', align: 'right', cell: ({ basis }) => showMoney(basis) },
  { key: 'costs', header: 'Costs', align: 'right', cell: ({ costs }) => showMoney(costs) },
  {
    key: 'gain',
    header: 'Gain for tax',
    align: 'right',
    cell: ({ taxable_gain, disallowed, term }) => (
      <>
        <Change value={taxable_gain} unit="money" />
        <span className="block text-xs text-ink-faint">
          {disallowed > 0 ? `Wash sale: ${showMoney(disallowed)} disallowed` : `${term}-term`}
        </span>
      </>
    ),
  },
];
