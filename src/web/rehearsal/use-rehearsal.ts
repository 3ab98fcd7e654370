import { useCallback, useEffect, useRef, useState } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { Rehearsal, RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import { addressOf } from '../call/call.ts';
import type { RehearsalAnswer, RehearsalRequest } from './rehearsal-messages.ts';

export type RehearsalState =
  | { readonly at: 'loading'; readonly receivedBytes: number }
  | { readonly at: 'running' }
  | { readonly at: 'failed'; readonly message: string; readonly retry: (() => void) | null }
  /** `terms`: those that it was rehearsed with, while newer ones may be under way. */
  | { readonly at: 'done'; readonly rehearsal: Rehearsal; readonly terms: RehearsalTerms };

/**
 * Rehearses in a worker of this browser, once `isWanted`. New terms while one runs wait for it, and only the newest of
 * them is run. `terms` null keeps what was rehearsed last.
 */
export function useRehearsal(
  strategy: Pick<Strategy, 'id' | 'evidence'>,
  terms: RehearsalTerms | null,
  isWanted: boolean,
): RehearsalState {
  const [state, setState] = useState<RehearsalState>({ at: 'loading', receivedBytes: 0 });
  const [attempt, setAttempt] = useState(0);
  const queue = useRef<Queue | null>(null);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const { id, evidence } = strategy;
  const result = evidence.input_hash;

  useEffect(() => {
    if (!isWanted) return;
    setState({ at: 'loading', receivedBytes: 0 });
    const worker = new Worker(new URL('rehearsal-worker.ts', import.meta.url), { type: 'module' });
    const own = new Queue((next) => send(worker, { kind: 'rehearse', terms: next }));
    queue.current = own;
    const fail = (message: string, isRepeatable: boolean) =>
      setState({ at: 'failed', message, retry: isRepeatable ? retry : null });
    worker.addEventListener('message', ({ data }: MessageEvent<RehearsalAnswer>) => {
      if (data.kind === 'failed') return fail(data.message, data.isRepeatable);
      if (data.kind === 'loading') return setState({ at: 'loading', receivedBytes: data.receivedBytes });
      if (data.kind === 'loaded') {
        setState({ at: 'running' });
        return own.open();
      }
      setState({ at: 'done', rehearsal: data.rehearsal, terms: own.finish() });
    });
    worker.addEventListener('error', () => fail('The rehearsal could not run in this browser.', true));
    const params = { id };
    send(worker, {
      kind: 'load',
      passportUrl: addressOf('getStrategyEvidence', { params }),
      barsUrl: addressOf('getStrategyEvidenceBars', { params, query: { result } }),
    });
    return () => {
      queue.current = null;
      worker.terminate();
    };
  }, [id, result, isWanted, attempt, retry]);

  useEffect(() => {
    if (terms !== null) queue.current?.ask(terms);
  }, [terms, id, result, isWanted, attempt]);

  return state;
}

/** One run at a time; of those that wait only the newest. */
class Queue {
  readonly #run: (terms: RehearsalTerms) => void;
  #isOpen = false;
  #running: RehearsalTerms | null = null;
  #next: RehearsalTerms | null = null;

  constructor(run: (terms: RehearsalTerms) => void) {
    this.#run = run;
  }

  open(): void {
    this.#isOpen = true;
    this.#goOn();
  }

  ask(terms: RehearsalTerms): void {
    this.#next = terms;
    this.#goOn();
  }

  /** The terms of the run that has ended. */
  finish(): RehearsalTerms {
    const done = this.#running!;
    this.#running = null;
    this.#goOn();
    return done;
  }

  #goOn(): void {
    if (!this.#isOpen || this.#running !== null || this.#next === null) return;
    this.#running = this.#next;
    this.#next = null;
    this.#run(this.#running);
  }
}

function send(worker: Worker, request: RehearsalRequest): void {
  worker.postMessage(request);
}
