import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { SessionProvider } from '../call/session.tsx';
import { ErrorBoundary } from './application-error.tsx';
import { Routes } from './routes.tsx';
import { SessionUnknown } from './session-unknown.tsx';

/** The whole app. `router` is what knows the address: the browser's, or a fixed one when a page is written at build. */
export function App({ cache, router }: { cache: QueryClient; router: (pages: ReactNode) => ReactNode }) {
  return (
    <StrictMode>
      <QueryClientProvider client={cache}>
        <SessionProvider unanswered={SessionUnknown}>
          {router(
            <ErrorBoundary>
              <Routes />
            </ErrorBoundary>,
          )}
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
