import { createElement } from 'react';
import { Navigate, useRoutes } from 'react-router';
import { useHasProvider } from '../call/installation.ts';
import { RequireSession } from '../identity/require-session.tsx';
import { RootLayout } from './layout/root-layout.tsx';
import { loadedScreen } from './load-screen.ts';
import { type Screen, SCREENS } from './screens.ts';

/** The page at the present address. Its screen has been loaded before: by the router, or at the start. */
export function Routes() {
  return useRoutes(ROUTES);
}

function ShowScreen({ screen }: { screen: Screen }) {
  const hasProvider = useHasProvider();
  if (screen.ofProvider && !hasProvider) return <Navigate to="/" replace />;
  return createElement(loadedScreen(screen));
}

const asRoute = (screen: Screen) => ({ path: screen.path, element: <ShowScreen screen={screen} /> });

const ROUTES = [
  {
    element: <RootLayout />,
    children: [
      ...SCREENS.filter((screen) => !screen.signedIn).map(asRoute),
      { element: <RequireSession />, children: SCREENS.filter((screen) => screen.signedIn).map(asRoute) },
    ],
  },
];
