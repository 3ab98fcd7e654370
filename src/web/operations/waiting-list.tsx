import type { ReactNode } from 'react';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showCount } from '../kit/figure/show-figure.ts';

/** One kind of thing that waits for a person, the longest waiting first: a row each as its children. */
export function WaitingList({
  id,
  title,
  note,
  none,
  list: { results, has_more: hasMore },
  children,
}: {
  id: string;
  title: string;
  note: string;
  /** Said while nothing waits. */
  none: string;
  list: { readonly results: readonly unknown[]; readonly has_more: boolean };
  children: ReactNode;
}) {
  const count = results.length;
  if (count === 0) {
    return (
      <section
        aria-labelledby={id}
        className="grid gap-x-6 gap-y-1 border-b py-3 sm:grid-cols-[14rem_minmax(0,1fr)] sm:items-baseline"
      >
        <h2 id={id} className="font-serif text-base">
          {title}
        </h2>
        <p className="text-sm text-ink-soft">{none}</p>
      </section>
    );
  }
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <SectionTitle id={id} note={note}>
        {title}
        <span className="figures ml-3 font-sans text-sm text-ink-soft">
          {showCount(count)}
          {hasMore && ' or more'}
        </span>
      </SectionTitle>
      <ul className="border-y">{children}</ul>
      {hasMore && <p className="text-sm text-ink-soft">Only the {showCount(count)} oldest are shown.</p>}
    </section>
  );
}
