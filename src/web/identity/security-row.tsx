import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** One thing that helps to sign in: what it is, its state, and what can be done with it. */
export function SecurityRow({
  icon: Icon,
  title,
  state,
  children,
}: {
  icon: LucideIcon;
  title: string;
  state: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b py-4 last:border-0">
      <Icon className="size-5 shrink-0 text-ink-faint" aria-hidden="true" />
      <div className="min-w-40 flex-1">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-sm text-ink-soft">{state}</p>
      </div>
      <div className="flex flex-wrap gap-3">{children}</div>
    </li>
  );
}
