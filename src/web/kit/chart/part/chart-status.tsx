import type { ReactNode } from 'react';

/** One line below the values, always there so that nothing jumps: the days measured or in sight, or what happened. */
export function ChartStatus({ children }: { children: ReactNode }) {
  return (
    <p
      role="status"
      className="figures mt-1 flex min-h-6 flex-wrap items-center gap-x-3 text-sm text-ink-faint print:hidden"
    >
      {children}
    </p>
  );
}

export function StatusButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" onClick={onClick} className="rounded-control text-accent hover:underline">
      {children}
    </button>
  );
}
