import { useSyncExternalStore } from 'react';

type Theme = 'dark' | 'light';

const KEY = 'theme';
const listeners = new Set<() => void>();

function readTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark';
}

/** The theme of the page and a way to change it; the choice is kept in this browser. early/early-script.ts sets it at start. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    readTheme,
    () => 'dark' as const,
  );
  return [theme, setTheme];
}

function setTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  localStorage.setItem(KEY, theme);
  for (const listener of listeners) listener();
}
