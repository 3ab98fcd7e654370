import type { ReactNode } from 'react';

/** A line of a two-column list of figures: name left, figure right. Use inside a dl. */
export function StatRow({
  label,
  children,
  note,
}: {
  label: ReactNode;
  children: ReactNode;
  note?: ReactNode;
}) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b py-2.5 last:border-0">
      <dt className="text-sm text-ink-soft">
        {label}
        {note && <span className="block text-xs text-ink-faint">{note}</span>}
      </dt>
      <dd className="figures max-w-3/5 shrink-0 text-right text-base text-ink">{children}</dd>
    </div>
  );
}
