import type { SearchResult } from '#contract/strategies/backtests.ts';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { showNumber, showPercent } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge } from '../kit/state/badge.tsx';

type Tried = SearchResult['tried'][number] & { readonly isChosen: boolean };

/** What was tried for the wishes, and what came of it: the good ones and all the others. */
export function SearchResultPanel({ search }: { search: SearchResult }) {
  const rows = search.tried.map((one, place) => ({ ...one, isChosen: place === search.chosen }));
  return (
    <section aria-labelledby="search">
      <SectionTitle id="search" note={<Hypothetical />}>
        What the search found
      </SectionTitle>
      <p className="mt-4 max-w-prose text-lg text-balance">{search.sentence}</p>
      <details className="mt-4">
        <summary className="cursor-pointer text-sm text-ink-soft">All {rows.length} that were tried</summary>
        <div className="mt-4">
          <DataTable caption="What was tried" columns={COLUMNS} rows={rows} rowKey={({ name }) => name} />
        </div>
      </details>
    </section>
  );
}

const COLUMNS: readonly Column<Tried>[] = [
  {
    key: 'name',
    header: 'Rules',
    cell: ({ name, isChosen }) => (
      <span className={isChosen ? 'font-medium' : undefined}>
        {name}
        {isChosen && <span className="ml-2 text-sm text-ink-faint">in this draft</span>}
      </span>
    ),
  },
  {
    key: 'return',
    header: 'Return a year',
    align: 'right',
    cell: (one) => showPercent(one.annual_return, { sign: true, decimals: 1 }),
  },
  {
    key: 'fall',
    header: 'Deepest fall',
    align: 'right',
    cell: (one) => showPercent(one.max_drawdown, { decimals: 1 }),
  },
  { key: 'sharpe', header: 'Sharpe ratio', align: 'right', cell: ({ sharpe }) => showNumber(sharpe) },
  {
    key: 'met',
    header: 'Wishes',
    align: 'right',
    cell: ({ is_met: isMet }) => (
      <Badge tone={isMet ? 'gain' : 'neutral'}>{isMet ? 'Both met' : 'Not met'}</Badge>
    ),
  },
];
