import type { ReactNode } from 'react';
import type { PositionBreak } from '#contract/operations/adjustments.ts';
import { showCounted } from '../../kit/figure/show-figure.ts';

/** Which account of whom, what follows from it, and how many exits have not left; none waits for a shortfall. */
export function DifferenceHead({
  difference: { kind, symbol, account, broker_name: broker, clients, effect, exits_waiting: waiting },
  badge,
}: {
  difference: PositionBreak;
  badge: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-medium">{aboutDifference({ symbol, account })}</h3>
        <p className="text-sm wrap-anywhere text-ink-faint">{[broker, ...clients].join(', ')}</p>
        <p className="mt-1 text-ink-soft">{effect}</p>
        {kind !== 'shortfall' && waiting > 0 && (
          <p className="mt-1 text-caution">{showCounted(waiting, 'exit')} on hold.</p>
        )}
      </div>
      {badge}
    </div>
  );
}

export function aboutDifference({ symbol, account }: Pick<PositionBreak, 'symbol' | 'account'>): string {
  return `${symbol} in ${account}`;
}
