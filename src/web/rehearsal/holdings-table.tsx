import type { Verdict } from '#engine/strategy/targets/target-table.ts';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showDate, showFraction, showPrice } from '../kit/figure/show-figure.ts';
import { Skeleton } from '../kit/state/skeleton.tsx';
import type { Holdings } from './holdings.ts';
import type { RehearsalState } from './use-rehearsal.ts';

/** What the strategy wants held after the newest close, computed in this browser, and why. */
export function HoldingsTable({ state }: { state: RehearsalState }) {
  if (state.at === 'failed') return <p className="text-ink-soft">{state.message}</p>;
  if (state.at !== 'done' && state.at !== 'running') return <Skeleton className="h-72" />;
  const { instruments, asOf } = state.holdings;
  const invested = instruments.reduce((sum, { weight }) => sum + Math.abs(weight), 0);
  return (
    <div className="grid gap-4">
      <p className="prose-width text-sm text-ink-faint">
        What the rules want after the close of {showDate(new Date(asOf).toISOString())}, computed by your
        browser: {showFraction(invested)} invested{invested < 1 && `, ${showFraction(1 - invested)} in cash`}.
        Your limits can make positions smaller.
      </p>
      <DataTable
        caption="Holdings today"
        columns={COLUMNS}
        rows={instruments}
        rowKey={({ symbol }) => symbol}
      />
    </div>
  );
}

type Row = Holdings['instruments'][number];

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'symbol',
    header: 'Instrument',
    cell: ({ symbol, name }) => (
      <>
        <span className="font-medium">{symbol}</span> <span className="text-ink-faint">{name}</span>
      </>
    ),
  },
  { key: 'verdict', header: 'Why', cell: ({ verdict }) => VERDICTS[verdict] },
  {
    key: 'since',
    header: 'Decided',
    cell: ({ decidedAt }) => (decidedAt === null ? '–' : showDate(new Date(decidedAt).toISOString())),
  },
  { key: 'close', header: 'Close', align: 'right', cell: ({ close }) => showPrice(close) },
  {
    key: 'weight',
    header: 'Share of the money',
    align: 'right',
    cell: ({ weight }) => (weight === 0 ? '–' : showFraction(weight)),
  },
];

const VERDICTS: Readonly<Record<Verdict, string>> = {
  warming_up: 'Not enough prices yet',
  flat: 'No reason to hold it',
  entered_long: 'Bought: its entry condition held',
  entered_short: 'Sold short: its entry condition held',
  exited_long: 'Sold: its exit condition held',
  exited_short: 'Bought back: its exit condition held',
  stop: 'Closed at the stop of the rules',
  target: 'Closed at its target',
  max_bars: 'Closed after its time limit',
  ranked_top: 'Among the highest ranked',
  ranked_bottom: 'Among the lowest ranked, sold short',
  not_ranked: 'Not ranked high enough',
  not_eligible: 'Left out by a condition',
  stands_aside: 'Standing aside: the condition for these rules does not hold',
  spread_low: 'Cheap against its pair',
  spread_high: 'Dear against its pair',
  proposed: 'Proposed by the model',
  unanswered_hold: 'No answer of the model: kept',
  unanswered_flat: 'No answer of the model: sold',
  spread_usual: 'Its spread is as usual',
  spread_stopped: 'Given up: the spread went on widening',
};
