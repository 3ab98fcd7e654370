import type { Unanswered } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';

/** The service does not answer: the person stays signed in, and nothing is known about their money until it does. */
export function SessionUnknown({ onRetry, busy }: Unanswered) {
  return (
    <main className="page grid min-h-dvh place-content-center gap-4 text-center">
      <h1 className="font-serif text-xl">We cannot reach the service</h1>
      <p role="alert" className="max-w-md text-ink-soft">
        You are still signed in, and your strategies keep running. Check your connection and try again.
      </p>
      <div>
        <Button variant="secondary" busy={busy} onClick={onRetry}>
          Try Again
        </Button>
      </div>
    </main>
  );
}
