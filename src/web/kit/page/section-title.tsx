import type { ReactNode } from 'react';

export function SectionTitle({
  children,
  note,
  aside,
  id,
}: {
  children: ReactNode;
  note?: ReactNode;
  aside?: ReactNode;
  id?: string;
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h2 id={id} className="font-serif text-lg">
          {children}
        </h2>
        {note && <p className="mt-1 text-sm text-ink-faint">{note}</p>}
      </div>
      {aside}
    </div>
  );
}
