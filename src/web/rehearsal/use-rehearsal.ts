import { useEffect, useState } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { Rehearsal, RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import { lastingToken } from '../call/lasting-token.ts';
import { addressOf } from '../call/call.ts';
import type { Holdings } from './holdings.ts';
import type { RehearsalAnswer, RehearsalRequest } from './rehearsal-messages.ts';

export type RehearsalState =
  /** Nobody has come to where it is shown. */
  | { readonly at: 'unseen' }
  | { readonly at: 'loading'; readonly receivedBytes: number }
  | { readonly at: 'running'; readonly holdings: Holdings }
  | { readonly at: 'failed'; readonly message: string; readonly retry: (() => void) | null }
  /** `terms`: those that it was rehearsed with, while newer ones may be under way. */
  | {
      readonly at: 'done';
      readonly rehearsal: Rehearsal;
      readonly terms: RehearsalTerms;
      readonly holdings: Holdings;
    };

/**
 * Rehearses in a worker of this browser, once `isWanted`. New terms while one runs wait for it, and only the newest of
 * them is run. `terms` null keeps what was rehearsed last.
 */
export function useRehearsal(
  { id, evidence: { input_hash: result } }: Pick<Strategy, 'id' | 'evidence'>,
  terms: RehearsalTerms | null,
  isWanted: boolean,
): RehearsalState {
  const [attempt, setAttempt] = useState(0);
  const run = `${id} ${result} ${attempt}`;
  const [said, setSaid] = useState<{ readonly run: string; readonly state: RehearsalState } | null>(null);
  const [loaded, setLoaded] = useState<Queue | null>(null);

  useEffect(() => {
    if (!isWanted) return;
    const say = (state: RehearsalState) => setSaid({ run, state });
    const worker = new Worker(new URL('rehearsal-worker.ts', import.meta.url), { type: 'module' });
    let holdings: Holdings | null = null;
    const queue = new Queue((next) => send(worker, { kind: 'rehearse', terms: next }));
    const fail = (message: string, isRepeatable: boolean) =>
      say({ at: 'failed', message, retry: isRepeatable ? () => setAttempt((count) => count + 1) : null });
    worker.addEventListener('message', ({ data }: MessageEvent<RehearsalAnswer>) => {
      if (data.kind === 'failed') fail(data.message, data.isRepeatable);
      else if (data.kind === 'loading') say({ at: 'loading', receivedBytes: data.receivedBytes });
      else if (data.kind === 'loaded') {
        holdings = data.holdings;
        say({ at: 'running', holdings });
        setLoaded(queue);
      } else say({ at: 'done', rehearsal: data.rehearsal, terms: queue.finish(), holdings: holdings! });
    });
    worker.addEventListener('error', () => fail('The rehearsal could not run in this browser.', true));
    const params = { id };
    const passportUrl = addressOf('getStrategyEvidence', { params });
    const barsUrl = addressOf('getStrategyEvidenceBars', { params, query: { result } });
    lastingToken().then(
      (token) => send(worker, { kind: 'load', passportUrl, barsUrl, token }),
      () => fail('The prices could not be loaded.', true),
    );
    return () => {
      setLoaded(null);
      worker.terminate();
    };
  }, [id, result, run, isWanted]);

  useEffect(() => {
    if (terms !== null) loaded?.ask(terms);
  }, [terms, loaded]);

  if (!isWanted) return UNSEEN;
  return said?.run === run ? said.state : NOTHING_LOADED;
}

const UNSEEN: RehearsalState = { at: 'unseen' };
const NOTHING_LOADED: RehearsalState = { at: 'loading', receivedBytes: 0 };

/** One run at a time; of those that wait only the newest. */
class Queue {
  readonly #run: (terms: RehearsalTerms) => void;
  #running: RehearsalTerms | null = null;
  #next: RehearsalTerms | null = null;

  constructor(run: (terms: RehearsalTerms) => void) {
    this.#run = run;
  }

  ask(terms: RehearsalTerms): void {
    this.#next = terms;
    if (this.#running === null) this.#goOn();
  }

  /** The terms of the run that has ended. */
  finish(): RehearsalTerms {
    const done = this.#running!;
    this.#running = null;
    if (this.#next !== null) this.#goOn();
    return done;
  }

  #goOn(): void {
    const terms = this.#next!;
    this.#running = terms;
    this.#next = null;
    this.#run(terms);
  }
}

function send(worker: Worker, request: RehearsalRequest): void {
  worker.postMessage(request);
}
