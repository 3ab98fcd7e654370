import { useEffect } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Button } from '../kit/button.tsx';

/** The last resort when a page cannot be drawn. */
export function ApplicationError() {
  const error = useRouteError();
  useEffect(() => {
    document.title = 'Unexpected Application Error!';
  }, []);
  return (
    <main className="page grid min-h-dvh place-content-center gap-4 text-center">
      <h1 className="font-serif text-2xl">Unexpected Application Error!</h1>
      <p role="alert" className="max-w-lg text-ink-soft">
        This page could not be shown. Your money and your strategies are not affected: they run on our side,
        not in this window.
      </p>
      <p className="font-mono text-xs text-ink-faint">{describe(error)}</p>
      <div className="flex justify-center gap-3">
        <Button variant="secondary" onClick={() => window.location.reload()}>
          Try Again
        </Button>
        <Button variant="quiet" onClick={() => window.location.assign('/')}>
          Go to the start page
        </Button>
      </div>
    </main>
  );
}

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : '';
}
