import type { Portfolio } from '#contract/portfolio.ts';
import { showMoney, showPercent, showWord } from '../kit/figure/show-figure.ts';

type Part = {
  readonly name: string;
  readonly note: string | null;
  readonly long: number;
  readonly short: number;
  readonly net_percent: number | null;
};

/** Exposure by kind: bars on one scale, what is held to the right and what is sold short to the left of the middle. */
export function KindExposure({ kinds }: { kinds: Portfolio['by_kind'] }) {
  return <Bars parts={kinds.map((one) => ({ ...one, name: showWord(one.kind), note: null }))} />;
}

/** By instrument, with the strategies that hold it where there are several. */
export function InstrumentExposure({ instruments }: { instruments: Portfolio['by_instrument'] }) {
  const parts = instruments.map(({ ticker, strategy_names, ...one }) => ({
    ...one,
    name: ticker,
    note: strategy_names.length > 1 ? strategy_names.join(', ') : null,
  }));
  return <Bars parts={parts} />;
}

function Bars({ parts }: { parts: readonly Part[] }) {
  const widest = Math.max(...parts.flatMap(({ long, short }) => [long, short]));
  const hasShort = parts.some(({ short }) => short > 0);
  return (
    <dl>
      {parts.map(({ name, note, long, short, net_percent }) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 border-b py-2.5 last:border-0">
          <dt className="min-w-0 text-sm">
            {name}
            {note !== null && <span className="block text-xs text-caution">Held by {note}</span>}
          </dt>
          <dd className="figures text-right text-sm">
            {showPercent(net_percent, { decimals: 1 })}
            <span className="block text-xs text-ink-faint">{moneyOf(long, short)}</span>
          </dd>
          <dd aria-hidden="true" className="col-span-2 flex h-1.5">
            {hasShort && (
              <span className="flex flex-1 justify-end">
                <span
                  className="border-y border-l border-benchmark"
                  style={{ width: `${(short / widest) * 100}%` }}
                />
              </span>
            )}
            <span className="flex-1 border-l border-control-line">
              <span className="block h-full bg-benchmark" style={{ width: `${(long / widest) * 100}%` }} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function moneyOf(long: number, short: number): string {
  const parts = [
    ...(long > 0 ? [`${showMoney(long, { cents: 'never' })} long`] : []),
    ...(short > 0 ? [`${showMoney(short, { cents: 'never' })} short`] : []),
  ];
  return parts.join(', ');
}
