import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../control/button.tsx';

/** Says what failed, what it means, and what to do. `onRetry` gives the Try Again button. */
export function ErrorState({
  title,
  heading: Heading = 'p',
  children,
  onRetry,
  action,
}: {
  title: ReactNode;
  /** 'h1' where the error is the whole page. */
  heading?: 'p' | 'h1' | 'h2';
  children?: ReactNode;
  onRetry?: () => void;
  action?: ReactNode;
}) {
  return (
    <div role="alert" className="flex flex-col items-center rounded-surface border px-6 py-16 text-center">
      <CircleAlert className="size-6 text-loss" aria-hidden="true" />
      <Heading className="mt-4 font-serif text-lg">{title}</Heading>
      {children && <div className="mt-2 max-w-md text-ink-soft">{children}</div>}
      {(onRetry || action) && (
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          {onRetry && (
            <Button variant="secondary" onClick={onRetry}>
              Try Again
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
