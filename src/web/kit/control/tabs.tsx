import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { classNames } from '../class-names.ts';

type Tab = { readonly value: string; readonly label: string; readonly content: ReactNode };

/** Panels of which one is shown. The arrow keys, Home and End move between the tabs and choose at once (ARIA APG, tabs). */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
  aside,
}: {
  /** Names the group of tabs for screen readers. */
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (value: string) => void;
  /** Stays beside the tabs; with it they stay in sight below the header. */
  aside?: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const place = tabs.findIndex((tab) => tab.value === value);
    const next = MOVES[event.key]?.(place, tabs.length);
    const chosen = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (!chosen) return;
    event.preventDefault();
    onChange(chosen.value);
    list.current?.querySelector<HTMLElement>(`[data-value="${chosen.value}"]`)?.focus();
  };
  const shown = tabs.find((tab) => tab.value === value);
  useInSight(list, value);
  return (
    // Its tabs scroll: in a grid they would widen the page.
    <div className="min-w-0">
      <div
        className={classNames(
          'flex items-center justify-between gap-6 border-b print:hidden',
          aside !== undefined && 'sticky top-16 z-10 bg-ground',
        )}
      >
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          onKeyDown={onKeyDown}
          className="relative flex min-w-0 gap-6 overflow-x-auto overflow-y-hidden"
        >
          {tabs.map((tab) => (
            <TabButton
              key={tab.value}
              tab={tab}
              id={id}
              isShown={tab.value === value}
              onChoose={() => onChange(tab.value)}
            />
          ))}
        </div>
        {aside}
      </div>
      {shown && (
        // A panel may hold nothing to press: the Tab key reaches it all the same.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div
          key={shown.value}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-tab-${shown.value}`}
          tabIndex={0}
          className="pt-6"
        >
          {shown.content}
        </div>
      )}
    </div>
  );
}

/** A tab that was linked to may lie beyond the edge of a phone. The page itself stays where it is. */
function useInSight(list: RefObject<HTMLDivElement | null>, value: string): void {
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>(`[data-value="${value}"]`);
    if (chosen)
      list.current?.scrollTo({
        left: chosen.offsetLeft - (list.current.clientWidth - chosen.clientWidth) / 2,
      });
  }, [list, value]);
}

function TabButton({
  tab,
  id,
  isShown,
  onChoose,
}: {
  tab: Tab;
  id: string;
  isShown: boolean;
  onChoose: () => void;
}) {
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-tab-${tab.value}`}
      data-value={tab.value}
      aria-selected={isShown}
      aria-controls={isShown ? `${id}-panel` : undefined}
      tabIndex={isShown ? 0 : -1}
      onClick={onChoose}
      className="shrink-0 border-b-2 border-transparent py-3 text-sm font-medium text-ink-soft transition-colors -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
    >
      {tab.label}
    </button>
  );
}

const MOVES: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowLeft: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  Home: () => 0,
  End: (_place, count) => count - 1,
};
