import type { ReactNode } from 'react';

/** Says what will be here and gives the one next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center rounded-surface border border-dashed px-6 py-16 text-center">
      <p className="font-serif text-lg">{title}</p>
      {children && <p className="mt-2 max-w-md text-ink-soft">{children}</p>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  );
}
