import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

/**
 * The one h1 of a page, with a line beneath and the page's actions beside it. `valueFirst`: on a phone the actions come after what the
 * page's grid shows first, in the place of `max-sm:order-1`; the rest of the page then has `max-sm:order-2`.
 */
export function PageTitle({
  children,
  lead,
  actions,
  valueFirst = false,
}: {
  children: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  valueFirst?: boolean;
}) {
  return (
    <div
      className={classNames(
        'flex flex-wrap items-end justify-between gap-x-8 gap-y-4',
        valueFirst && 'max-sm:contents',
      )}
    >
      <div className="min-w-0">
        <h1 className="font-serif text-xl text-balance sm:text-2xl">{children}</h1>
        {lead && <p className="prose-width mt-2 text-ink-soft">{lead}</p>}
      </div>
      {actions && (
        // On a phone two beside each other, of one width; on a small one without icons, which would be squeezed.
        <div
          className={classNames(
            'flex flex-wrap gap-3 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-[25rem]:[&:has(>:nth-child(2))_svg]:hidden',
            valueFirst && 'max-sm:order-1',
          )}
        >
          {actions}
        </div>
      )}
    </div>
  );
}
