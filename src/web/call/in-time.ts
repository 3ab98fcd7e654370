import { CallError } from './call-error.ts';

type Patience = {
  readonly ms: number;
  /** What to say when it ends. */
  readonly late?: string;
  readonly signal?: AbortSignal;
};

/**
 * Waits for `work` at most so long, whatever delays it: an unanswered connection, a body that stops half way, another
 * window that holds a lock. `signal` cancels it.
 */
export function inTime<T>(
  { ms, late = 'The service did not respond in time. Please try again.', signal }: Patience,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const passOn = () => own.abort(signal?.reason);
  const timer = setTimeout(() => own.abort(new CallError(0, { code: 'late', message: late })), ms);
  return new Promise<T>((resolve, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason));
    signal?.addEventListener('abort', passOn);
    if (signal?.aborted) passOn();
    else work(own.signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', passOn);
  });
}
