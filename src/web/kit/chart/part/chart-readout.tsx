import type { ReactNode } from 'react';
import { showDate } from '../../figure/show-figure.ts';

export type ReadoutItem = { readonly name: string; readonly value: string; readonly mark: ReactNode };

/** The day looked at and every value of it, in one place that does not move. */
export function ChartReadout({ label, items }: { label: string | undefined; items: readonly ReadoutItem[] }) {
  return (
    <div className="figures flex min-h-12 flex-wrap content-start items-center gap-x-6 gap-y-1 text-sm">
      <span className="min-w-24 text-ink-soft">{showDate(label)}</span>
      {items.map((item) => (
        <span key={item.name} className="inline-flex items-center gap-2">
          {item.mark}
          <span className="text-ink-faint">{item.name}</span>
          <span className="text-ink">{item.value}</span>
        </span>
      ))}
    </div>
  );
}
