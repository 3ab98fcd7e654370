import type { FeeAccrual } from '#contract/fees.ts';
import { showDate, showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { Stat } from '../kit/figure/stat.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { accrualNow, type MovingFigures } from './accrual-now.ts';
import { useFeeAccrual } from './fee-queries.ts';
import { Differences } from './recomputation.tsx';
import { recomputeFeeAccrual } from './recompute-fee-bill.ts';

/** The fee of a running deployment so far, and what a close at current prices would leave. */
export function RunningPeriod({ deploymentId, now }: { deploymentId: string; now: MovingFigures }) {
  const accrual = useFeeAccrual(deploymentId);
  if (accrual.isPending) return <Skeleton className="h-32" />;
  // Kept figures stay: the next look comes by itself.
  if (accrual.data === undefined) {
    return <ErrorState title="The fee so far could not be loaded" onRetry={() => void accrual.refetch()} />;
  }
  return <Shown read={accrual.data} now={now} />;
}

function Shown({ read, now }: { read: FeeAccrual; now: MovingFigures }) {
  const differences = recomputeFeeAccrual(read);
  const accrual = accrualNow(read, now);
  const { accrued, if_closed: closed, adjusted_high_water_mark: mark } = accrual;
  return (
    <div className="grid gap-4">
      <div className="grid gap-6 border-y py-6 lg:grid-cols-[minmax(12rem,1fr)_3fr] lg:gap-10">
        <dl>
          <Stat
            label="Accrued so far"
            note={`Since ${showDate(accrual.period_start)}. Billed after ${showDate(
              new Date(Date.parse(accrual.period_end) - 1).toISOString(),
            )}`}
          >
            {showMoney(accrued.fee)}
          </Stat>
        </dl>
        <div>
          <h3 className="text-sm font-medium">If I closed now</h3>
          <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3">
            <Stat label="Gross" note="Everything sold at current prices">
              {showMoney(closed.gross)}
            </Stat>
            <Stat label="Fee" note={feeNote(accrual)}>
              {showMoney(closed.fee)}
            </Stat>
            <Stat label="Net" note="Before the commissions of the sale">
              {showMoney(closed.net)}
            </Stat>
          </dl>
        </div>
      </div>
      <p className="text-sm text-ink-soft">
        Priced {showDateTime(accrual.as_of)}. Only profit above the high-water mark of {showMoney(mark)}{' '}
        counts. Nothing is owed yet: an open profit is billed once it is realized; an open loss counts at
        once.
      </p>
      {differences.length > 0 && (
        <Differences differences={differences}>
          Your browser computes another fee from the same figures. Please contact support before you close.
        </Differences>
      )}
    </div>
  );
}

function feeNote({ if_closed: { profit }, fee_percent: percent }: FeeAccrual): string {
  if (percent === 0) return 'You pay no performance fee';
  return profit === 0 ? 'No profit above the mark' : `${percent}% of ${showMoney(profit)}`;
}
