import type { BacktestJob } from '#contract/strategies/backtests.ts';
import { percentTicks } from '../../kit/chart/scale/tick-texts.ts';
import { TimeSeriesChart } from '../../kit/chart/time-series-chart.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showDate, showPercent } from '../../kit/figure/show-figure.ts';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { EmptyState } from '../../kit/state/empty-state.tsx';

/** The line of a test as far as it has run, in the place of the chart that it becomes. */
export function RunningChart({ job: { partial } }: { job: BacktestJob }) {
  const first = partial?.data[0];
  if (partial === null || first === undefined || partial.data.length < 2)
    return <EmptyState title="No result yet">The line is drawn here while the test runs.</EmptyState>;
  const { labels, data } = partial;
  return (
    <div>
      <SectionTitle
        note={
          <span className="inline-flex flex-wrap items-center gap-x-4 gap-y-1">
            <TextureKey texture="in-sample" />
            <span>The test has reached {showDate(labels.at(-1))}</span>
            <Hypothetical />
          </span>
        }
      >
        The test so far
      </SectionTitle>
      <div className="mt-4">
        <TimeSeriesChart
          label="The test so far"
          labels={labels}
          main={{ name: 'So far', values: data.map((value) => (value / first - 1) * 100) }}
          growth="percent"
          texture="in-sample"
          baseline={0}
          show={(value) => showPercent(value, { decimals: 1, sign: true })}
          showTicks={percentTicks}
          height={320}
        />
      </div>
    </div>
  );
}
