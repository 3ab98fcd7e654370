import { type ReactNode, useDeferredValue } from 'react';

/** What stands below the first figures of a page. It is drawn after them, so that a slow phone shows those at once. */
export function AfterFirstFigures({ children }: { children: ReactNode }) {
  const isTime = useDeferredValue(true, false);
  // The space keeps the footer out of sight until then.
  return isTime ? children : <div className="min-h-dvh" />;
}
