import { type ReactNode, useLayoutEffect, useState } from 'react';
import { Router, type UNSAFE_createBrowserHistory } from 'react-router';
import { isLoaded, loadScreen } from './load-screen.ts';

type BrowserHistory = ReturnType<typeof UNSAFE_createBrowserHistory>;

/**
 * Follows the browser's address. The page stays as it is until the next one has been loaded; what changes within a
 * page (its search words) is shown at once, so that typing is never behind.
 */
export function BrowserRouter({ history, children }: { history: BrowserHistory; children: ReactNode }) {
  const [shown, setShown] = useState({ action: history.action, location: history.location });
  useLayoutEffect(() => {
    let newest = history.location;
    return history.listen(({ action, location }) => {
      newest = location;
      const show = () => newest === location && setShown({ action, location });
      if (isLoaded(location.pathname)) show();
      else void loadScreen(location.pathname).then(show);
    });
  }, [history]);
  return (
    <Router location={shown.location} navigationType={shown.action} navigator={history}>
      {children}
    </Router>
  );
}
