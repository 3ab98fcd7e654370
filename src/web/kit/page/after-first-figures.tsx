import { type ReactNode, useDeferredValue } from 'react';

/** What stands below the first figures of a page. It is drawn after them, so that a slow phone shows those at once. */
export function AfterFirstFigures({ children }: { children: ReactNode }) {
  // The space keeps the footer out of sight until then.
  return useFirstFiguresDrawn() ? children : <div className="min-h-dvh" />;
}

/** False in the first drawing alone. */
export function useFirstFiguresDrawn(): boolean {
  return useDeferredValue(true, false);
}
