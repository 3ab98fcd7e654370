import { Component, useEffect, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../kit/control/button.tsx';

/** Shows the last resort when a page cannot be drawn, until another page is gone to. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return <Boundary pathname={pathname}>{children}</Boundary>;
}

type Guarded = { pathname: string; children: ReactNode };

type Caught = { error: unknown; at: string };

class Boundary extends Component<Guarded, Caught> {
  override state: Caught = { error: null, at: this.props.pathname };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error() };
  }

  static getDerivedStateFromProps({ pathname }: Guarded, { at }: Caught): Caught | null {
    return pathname === at ? null : { error: null, at: pathname };
  }

  override render() {
    return this.state.error === null ? this.props.children : <ApplicationError error={this.state.error} />;
  }
}

function ApplicationError({ error }: { error: unknown }) {
  useEffect(() => {
    document.title = 'Unexpected Application Error!';
  }, []);
  return (
    <main className="page grid min-h-dvh place-content-center gap-4 text-center">
      <h1 className="font-serif text-2xl">Unexpected Application Error!</h1>
      <p role="alert" className="max-w-lg text-ink-soft">
        This page could not be shown. Your money and strategies are not affected: they do not depend on this
        window.
      </p>
      <p className="font-mono text-xs text-ink-faint">{error instanceof Error ? error.message : ''}</p>
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
