import { useMemo, useState } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import type { Trade } from '#contract/trade.ts';
import { TooFewPoints } from '../../deployments/too-few-points.tsx';
import { investedBy } from '../../deployments/deployment-figures.ts';
import { useDeploymentPerformance, useDeploymentTrades } from '../../deployments/deployment-queries.ts';
import { ReceiptSheet } from '../../deployments/receipt-sheet.tsx';
import { useExpectedLines } from '../../expectation/use-expected-lines.ts';
import { PerformanceChart } from '../../kit/chart/performance-chart.tsx';
import type { ChartMark } from '../../kit/chart/scale/chart-marks.ts';
import { endNow } from '../../kit/chart/scale/end-now.ts';
import type { TimeRange } from '../../kit/chart/scale/time-range.ts';
import { showPrice, showQuantity } from '../../kit/figure/show-figure.ts';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';

/** What it is worth, with the range that was expected of it, and a mark for each order that was filled. */
export function ValueChart({ deployment, onTimeline }: { deployment: Deployment; onTimeline: () => void }) {
  const [range, setRange] = useState<TimeRange>('ALL');
  const performance = useDeploymentPerformance(deployment.id, range);
  const { data } = performance;
  const { equity, as_of: asOf } = deployment;
  const isPractice = deployment.mode === 'practice';
  const series = useMemo(() => data && endNow(data, { value: equity, asOf }), [data, equity, asOf]);
  const expected = useExpectedLines(deployment, series);
  const trades = useDeploymentTrades(deployment.id).data;
  const marks = useMemo(() => marksOf(trades ?? []), [trades]);
  const [opened, setOpened] = useState<string | null>(null);
  const openMark = ({ id }: ChartMark) => {
    const decision = trades?.find((trade) => trade.id === id)?.decision ?? null;
    // An exit has no receipt: the timeline says why it was made.
    if (decision === null) onTimeline();
    else setOpened(decision);
  };
  if (performance.isPending) return <Skeleton className="h-80" />;
  if (series === undefined) {
    return (
      <ErrorState title="The performance could not be loaded" onRetry={() => void performance.refetch()} />
    );
  }
  // Specification section 9: a performance chart needs more than 2 points.
  if (series.labels.length <= 2 && range === 'ALL') {
    return <TooFewPoints title="Performance" />;
  }
  return (
    <>
      <PerformanceChart
        title="Performance"
        note={`Value of this deployment${isPractice ? ', in practice money,' : ''} at each market close, and now`}
        labels={series.labels}
        data={series.data}
        benchmark={series.benchmark}
        benchmarkName={series.benchmark_name ?? undefined}
        name={isPractice ? 'Practice' : 'Yours'}
        measure="money"
        invested={investedBy(series.labels, [deployment])}
        texture={isPractice ? 'practice' : 'live'}
        expected={expected}
        marks={marks}
        onMark={openMark}
        rememberAs="deployment"
        range={range}
        onRange={setRange}
        height={300}
      />
      <ReceiptSheet deploymentId={deployment.id} decision={opened} onClose={() => setOpened(null)} />
    </>
  );
}

/** Each order that was filled, on the day of its last fill. */
function marksOf(trades: readonly Trade[]): readonly ChartMark[] {
  return trades.flatMap(({ id, executed_at: day, trade_type: side, quantity, ticker, price }) =>
    day === null
      ? []
      : [
          {
            id,
            day,
            side,
            text: `${side === 'buy' ? 'Bought' : 'Sold'} ${showQuantity(quantity)} ${ticker} at ${showPrice(price)}`,
          },
        ],
  );
}
