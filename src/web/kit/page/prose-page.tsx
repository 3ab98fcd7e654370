import { useId, type ReactNode } from 'react';
import { PageTitle } from './page-title.tsx';
import { showDate } from '../figure/show-figure.ts';
import { usePageTitle } from './use-page-title.ts';

export type ProseSection = { readonly heading: string; readonly paragraphs: readonly ReactNode[] };

/** A page that is read: title, the day it holds from, contents at the side, sections. */
export function ProsePage({
  title,
  effective,
  lead,
  sections,
}: {
  title: string;
  /** YYYY-MM-DD. */
  effective: string;
  lead?: ReactNode;
  sections: readonly ProseSection[];
}) {
  usePageTitle(title);
  const id = useId();
  return (
    <article>
      <PageTitle lead={lead}>{title}</PageTitle>
      <p className="mt-3 text-sm text-ink-faint">Effective {showDate(effective)}</p>
      <div className="mt-10 grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,68ch)_1fr]">
        <div className="grid gap-10">
          {sections.map((section, i) => (
            <section key={section.heading} aria-labelledby={`${id}-${i}`}>
              <h2 id={`${id}-${i}`} className="scroll-mt-28 font-serif text-lg">
                {section.heading}
              </h2>
              {section.paragraphs.map((paragraph, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- a text's paragraphs never change their order
                <p key={place} className="mt-3 text-ink-soft">
                  {paragraph}
                </p>
              ))}
            </section>
          ))}
        </div>
        <nav aria-label="On this page" className="hidden lg:block">
          <ul className="sticky top-24 grid gap-2 border-l pl-5 text-sm">
            {sections.map((section, i) => (
              <li key={section.heading}>
                <a href={`#${id}-${i}`} className="text-ink-faint hover:text-ink">
                  {section.heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </article>
  );
}
