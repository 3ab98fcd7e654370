import { Link } from '../kit/control/link.tsx';
import { TimeSeriesChart } from '../kit/chart/time-series-chart.tsx';
import { percentTicks } from '../kit/chart/scale/tick-texts.ts';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { showPercent } from '../kit/figure/show-figure.ts';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { TextureKey } from '../kit/figure/texture-key.tsx';
import { outOfSample } from './evidence/out-of-sample.ts';
import { useStrategies, useStrategyPerformance } from './strategy-queries.ts';

const HEIGHT_PX = 280;

/** The record of the first featured strategy, drawn as real as it is. Nothing is drawn when none could be loaded. */
export function HeroRecord() {
  const strategies = useStrategies();
  const shown = strategies.data?.find((strategy) => strategy.is_featured) ?? strategies.data?.[0];
  const performance = useStrategyPerformance(shown?.id, 'week');
  if (strategies.isError || performance.isError || (strategies.isSuccess && !shown)) return null;
  if (!shown || !performance.data) return <Skeleton className="h-[492px] rounded-surface" />;
  const { labels, data, benchmark } = performance.data;
  return (
    <figure className="rounded-surface border bg-surface p-5 sm:p-6">
      <figcaption className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <Link to={`/strategy/${shown.id}`} className="font-serif text-lg hover:text-accent">
          {shown.name}
        </Link>
        <Hypothetical />
      </figcaption>
      <TimeSeriesChart
        label={`${shown.name}, change since inception`}
        labels={labels}
        main={{ name: 'Strategy', values: changeSinceFirst(data) }}
        benchmark={{ name: 'Benchmark', values: changeSinceFirst(benchmark) }}
        growth="percent"
        texture="in-sample"
        later={outOfSample(performance.data)}
        baseline={0}
        show={(value) => showPercent(value, { decimals: 0, sign: true })}
        showTicks={percentTicks}
        height={HEIGHT_PX}
      />
      <p className="mt-4 flex items-start gap-2 text-sm text-balance text-ink-faint">
        <TextureKey texture="in-sample" words={false} />
        Dashed: backtest. Solid: since the rules were fixed.
      </p>
    </figure>
  );
}

function changeSinceFirst(values: readonly (number | null)[]): (number | null)[] {
  const first = values.find((value) => value !== null);
  return values.map((value) => (value === null || !first ? null : (value / first - 1) * 100));
}
