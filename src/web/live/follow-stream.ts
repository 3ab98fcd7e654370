import type { QueryClient } from '@tanstack/react-query';
import { CallError } from '../call/call-error.ts';
import { callStream } from '../call/call-stream.ts';
import type { StreamEvent } from '../call/read-events.ts';
import { hearEvent } from './hear-event.ts';
import { noteHeard, noteSilence, STALE_AFTER_MS } from '../call/live-state.ts';

/** After a stream that ended or did not open; doubled each time, up to a minute. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** The name of the lock that one window holds, and of the channel through which it informs the others. */
const LOCK = 'live-stream';

/**
 * Hears the stream until called off. Of several windows one holds it and tells the others: a browser opens only a few
 * connections to one host, and six streams would leave none for anything else. Where it has no locks to agree by, as
 * on plain http beyond localhost, no window holds one, and all of them poll.
 */
export function followStream(cache: QueryClient): () => void {
  if (!('locks' in navigator)) return () => undefined;
  const off = new AbortController();
  const channel = new BroadcastChannel(LOCK);
  channel.addEventListener('message', ({ data }: MessageEvent<StreamEvent>) => {
    noteHeard();
    hearEvent(cache, data);
  });
  const hold = () =>
    holdStream(off.signal, (heard) => {
      noteHeard();
      channel.postMessage(heard);
      // Reads again what happened without a listener; the stream delivers what happens from now on.
      if (heard.event === 'hello' && cache.getQueryData(['notifications']) !== undefined)
        void cache.invalidateQueries({ queryKey: ['notifications'] });
      hearEvent(cache, heard);
    });
  navigator.locks.request(LOCK, { signal: off.signal }, hold).catch((error: unknown) => {
    if (!isCalledOff(error)) throw error;
  });
  return () => {
    off.abort();
    channel.close();
    noteSilence();
  };
}

async function holdStream(off: AbortSignal, hear: (event: StreamEvent) => void): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!off.aborted) {
    try {
      await hearConnection(off, (event) => {
        pause = FIRST_PAUSE_MS;
        hear(event);
      });
    } catch (error) {
      // A broken connection: polling carries on meanwhile.
      if (!isCalledOff(error) && !(error instanceof TypeError) && !(error instanceof CallError)) throw error;
    }
    noteSilence();
    await sleep(pause, off);
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
  }
}

/** Follows one connection to its end. A silent one is dropped: it may be dead without notice. */
async function hearConnection(off: AbortSignal, hear: (event: StreamEvent) => void): Promise<void> {
  const connection = new AbortController();
  const end = () => connection.abort();
  off.addEventListener('abort', end);
  let silence = setTimeout(end, STALE_AFTER_MS);
  try {
    for await (const event of (await callStream(connection.signal)) ?? []) {
      clearTimeout(silence);
      silence = setTimeout(end, STALE_AFTER_MS);
      hear(event);
    }
  } finally {
    clearTimeout(silence);
    off.removeEventListener('abort', end);
  }
}

function sleep(ms: number, off: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    off.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function isCalledOff(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
