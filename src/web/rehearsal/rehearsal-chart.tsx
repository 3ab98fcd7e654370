import { useMemo } from 'react';
import type { Rehearsal } from '#engine/rehearsal/rehearsal.ts';
import { moneyTicks } from '../kit/chart/scale/tick-texts.ts';
import type { Line } from '../kit/chart/scale/plot.ts';
import { TimeSeriesChart } from '../kit/chart/time-series-chart.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';

/** My dollars against the published path and the benchmark, in the range of the other orders of the same months. */
export function RehearsalChart({ rehearsal }: { rehearsal: Rehearsal }) {
  const lines = useMemo(() => {
    const { dates, value, published, benchmark, alternatives } = rehearsal;
    return {
      labels: dates,
      main: { name: 'Yours', values: Array.from(value) },
      reference: { name: 'As published', values: Array.from(published) },
      benchmark: benchmark.some((worth) => worth !== null)
        ? { name: 'Benchmark', values: benchmark }
        : undefined,
      band: alternatives === null ? undefined : bandOf(alternatives, dates.length),
    };
  }, [rehearsal]);
  return (
    <TimeSeriesChart
      label="Rehearsal"
      {...lines}
      texture="in-sample"
      growth="value"
      baseline={null}
      show={(value) => showMoney(value, { cents: 'never' })}
      showTicks={moneyTicks}
      height={280}
    />
  );
}

function bandOf({ rows, low, high }: NonNullable<Rehearsal['alternatives']>, length: number) {
  const spread = (values: Float64Array): Line => {
    const line = Array.from({ length }, (): number | null => null);
    rows.forEach((row, i) => (line[row] = values[i]!));
    return line;
  };
  return { low: spread(low), high: spread(high) };
}
