import type { Portfolio } from '#contract/portfolio.ts';
import { showDate, showMoney, showPercent } from '../kit/figure/show-figure.ts';

/** How far all deployments together are below their highest point, on a scale that ends at what the client can bear. */
export function DrawdownGauge({
  drawdown,
  stated,
  value,
}: {
  drawdown: NonNullable<Portfolio['drawdown']>;
  stated: number;
  value: number;
}) {
  const now = -drawdown.now_percent;
  const deepest = -drawdown.deepest_percent;
  const widest = Math.max(stated, deepest);
  const at = (percent: number) => `${(percent / widest) * 100}%`;
  return (
    <div className="grid gap-3">
      <p className="figures text-lg">
        {now < 0.005 ? 'At its highest value' : `${showPercent(now)} below its highest value`}
      </p>
      <div aria-hidden="true" className="relative h-3 rounded-[3px] border border-control-line">
        <div className="h-full rounded-l-[2px] bg-benchmark" style={{ width: at(now) }} />
        <span className="absolute -inset-y-1 w-px bg-ink-soft" style={{ left: at(deepest) }} />
        <span
          className="absolute -inset-y-1 w-0.5 bg-caution"
          style={{ left: `min(${at(stated)}, 100% - 2px)` }}
        />
      </div>
      <p className="text-sm text-ink-soft">
        {deepest < 0.005
          ? 'It has not fallen below its highest value yet. '
          : `Deepest so far: ${showPercent(deepest)}, from ${showDate(drawdown.peak)} to ${showDate(drawdown.trough)}. `}
        You said that you can bear {showPercent(stated, { decimals: 0 })}
        {now < stated
          ? `: another ${showMoney(roomFor(value, { now, stated }), { cents: 'never' })} of loss from here.`
          : '. This is beyond it.'}
      </p>
    </div>
  );
}

/** Dollars from the value of now down to the bearable fall from the highest one. */
function roomFor(value: number, { now, stated }: { now: number; stated: number }): number {
  const highest = value / (1 - now / 100);
  return value - highest * (1 - stated / 100);
}
