import type { Portfolio } from '#contract/portfolio.ts';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showCounted, showNumber, showPercent } from '../kit/figure/show-figure.ts';

type Pair = Portfolio['pairs'][number] & { readonly names: readonly [string, string] };

/** Each pair of deployments: what both hold, and how their days go together; the most alike first. */
export function LikenessTable({ portfolio: { pairs, deployments } }: { portfolio: Portfolio }) {
  const names = new Map(deployments.map(({ id, strategy_name }) => [id, strategy_name]));
  const rows = pairs
    .map((pair): Pair => ({ ...pair, names: [names.get(pair.first) ?? '', names.get(pair.second) ?? ''] }))
    .toSorted(
      (left, right) =>
        (right.correlation ?? -2) - (left.correlation ?? -2) ||
        (right.overlap_percent ?? -1) - (left.overlap_percent ?? -1),
    );
  return (
    <DataTable
      caption="How alike your deployments are"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ first, second }) => `${first} ${second}`}
    />
  );
}

const COLUMNS: readonly Column<Pair>[] = [
  {
    key: 'names',
    header: 'Strategies',
    cell: ({ names: [first, second] }) => (
      <>
        {first}
        <span className="block text-ink-soft">{second}</span>
      </>
    ),
  },
  {
    key: 'correlation',
    header: 'Correlation',
    align: 'right',
    cell: ({ correlation, days }) => (
      <>
        {correlation === null ? '–' : showNumber(correlation)}
        <span className="block text-xs text-ink-faint">
          {correlation === null && days < 20 ? `${showCounted(days, 'day')} of 20` : showCounted(days, 'day')}
        </span>
      </>
    ),
  },
  {
    key: 'overlap',
    header: 'Overlap',
    align: 'right',
    cell: ({ overlap_percent }) => showPercent(overlap_percent, { decimals: 0 }),
  },
];
