import { useState } from 'react';
import type { LimitFiring } from '#engine/rehearsal/limit-effects.ts';
import type { Rehearsal, RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import { Button } from '../kit/control/button.tsx';
import { Change } from '../kit/figure/change.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { showCounted, showDate, showPercent, showShare } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';

/** What each limit did, in sum and each time. */
export function LimitRecord({ rehearsal, terms }: { rehearsal: Rehearsal; terms: RehearsalTerms }) {
  const { effects, firings } = rehearsal;
  const { limits } = terms;
  const stops = firings.filter(({ limit }) => limit === 'stop_loss').length;
  const frozen = firings.find(({ limit }) => limit === 'freeze');
  return (
    <div>
      <h3 className="text-base font-medium">What your limits did</h3>
      <p className="mt-1 text-sm text-ink-faint">
        Saved or cost by the last day, against the same run without that limit.
      </p>
      <dl className="mt-3">
        <StatRow
          label={`Stop loss at ${showShare(limits.stopLossPercentage)}`}
          note={stops === 0 ? 'Never triggered' : `Triggered ${showCounted(stops, 'time')}`}
        >
          <Change value={effects.stopLoss} unit="money" />
        </StatRow>
        <StatRow
          label={`At most ${showShare(limits.maxAllocationPercent)} in a position`}
          note={effects.maxAllocation === 0 ? 'Changed nothing' : 'Made positions smaller'}
        >
          <Change value={effects.maxAllocation} unit="money" />
        </StatRow>
        <StatRow
          label={`Freeze at ${showShare(limits.freezeOnDrawdownPercent)} below the peak`}
          note={frozen === undefined ? 'Never triggered' : `Bought nothing after ${showDate(frozen.date)}`}
        >
          <Change value={effects.freeze} unit="money" />
        </StatRow>
      </dl>
      {firings.length > 0 && <Firings firings={firings} />}
    </div>
  );
}

function Firings({ firings }: { firings: readonly LimitFiring[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const newest = firings.toReversed();
  return (
    <div className="mt-5">
      <DataTable
        caption="Each time a limit acted"
        columns={COLUMNS}
        rows={isWhole ? newest : newest.slice(0, FIRST)}
        rowKey={(firing) => `${firing.date} ${firing.limit === 'stop_loss' ? firing.symbol : ''}`}
      />
      {firings.length > FIRST && (
        <Button variant="quiet" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${firings.length}`}
        </Button>
      )}
    </div>
  );
}

const FIRST = 6;

const COLUMNS: readonly Column<LimitFiring>[] = [
  { key: 'date', header: 'Date', cell: ({ date }) => showDate(date) },
  {
    key: 'saved',
    header: 'Saved or cost',
    align: 'right',
    cell: (firing) => (firing.limit === 'stop_loss' ? <Change value={firing.saved} unit="money" /> : '–'),
  },
  {
    key: 'limit',
    header: 'What happened',
    cell: (firing) =>
      firing.limit === 'stop_loss'
        ? `Sold ${firing.symbol} at a loss of ${showPercent(firing.lossPercent, { decimals: 1 })}`
        : `Froze ${showPercent(firing.drawdownPercent, { decimals: 1 })} below the peak`,
  },
];
