import type { ReactNode } from 'react';

/** The one h1 of a page, with a line beneath and the page's actions beside it. */
export function PageTitle({
  children,
  lead,
  actions,
}: {
  children: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
      <div className="min-w-0">
        <h1 className="font-serif text-xl text-balance sm:text-2xl">{children}</h1>
        {lead && <p className="prose-width mt-2 text-ink-soft">{lead}</p>}
      </div>
      {actions && <PageActions>{actions}</PageActions>}
    </div>
  );
}

/** On a phone two beside each other, of one width; on a small one without icons, which would be squeezed. */
export function PageActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-3 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-[25rem]:[&_svg]:hidden">
      {children}
    </div>
  );
}
