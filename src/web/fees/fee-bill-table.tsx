import type { FeeBill } from '#contract/fees.ts';
import { Link } from '../kit/control/link.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showDate, showMoney } from '../kit/figure/show-figure.ts';
import { showLastDay } from './show-last-day.ts';

/** Bills of the performance fee, newest first; of one deployment, without its name. */
export function FeeBillTable({ bills, ofOne = false }: { bills: readonly FeeBill[]; ofOne?: boolean }) {
  return (
    <DataTable
      caption="Performance fee bills"
      columns={ofOne ? COLUMNS.filter(({ key }) => key !== 'strategy') : COLUMNS}
      rows={bills}
      rowKey={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<FeeBill>[] = [
  {
    key: 'period',
    header: 'Period to',
    cell: (bill) => (
      <Link
        to={`/fees/${bill.id}`}
        className="figures text-accent underline decoration-current/35 underline-offset-4"
      >
        {showLastDay(bill)}
      </Link>
    ),
  },
  { key: 'strategy', header: 'Strategy', cell: ({ strategy_name }) => strategy_name },
  { key: 'fee', header: 'Fee', align: 'right', cell: ({ fee, credited }) => showMoney(fee - credited) },
  { key: 'profit', header: 'Profit', align: 'right', cell: ({ profit }) => showMoney(profit) },
  {
    key: 'due',
    header: 'Due',
    align: 'right',
    cell: dueCell,
  },
];

function dueCell({ state, due_at, paid_at }: FeeBill): string {
  switch (state) {
    case 'no_fee':
      return 'No fee';
    case 'paid':
      return `Paid ${showDate(paid_at)}`;
    case 'overdue':
      return `Overdue since ${showDate(due_at)}`;
    case 'due':
      return showDate(due_at);
    default:
      return state satisfies never;
  }
}
