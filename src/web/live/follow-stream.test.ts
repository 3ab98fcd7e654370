import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followStream } from './follow-stream.ts';
import { isLive } from '../call/live-state.ts';

/** The opened streams; each can be made to send an event, and ends when its reader cancels it. */
let opened: { say: (event: string) => void; isOpen: boolean }[];
let stop = () => undefined as void;

beforeEach(() => {
  opened = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('localStorage', { getItem: () => 'token' });
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, _options: object, hold: () => Promise<void>) => hold() },
  });
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage() {}
      close() {}
    },
  );
  vi.stubGlobal('fetch', async (_path: string, { signal }: RequestInit) => {
    const stream: (typeof opened)[number] = { isOpen: true, say: () => undefined };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream.say = (event) => controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: {}\n\n`));
        signal?.addEventListener('abort', () => {
          stream.isOpen = false;
          controller.error(signal.reason);
        });
      },
    });
    opened.push(stream);
    return new Response(body);
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a silent stream is dropped and opened again', async () => {
  stop = followStream(new QueryClient());
  await vi.waitFor(() => expect(opened).toHaveLength(1));
  for (let turn = 0; turn < 4; turn++) {
    opened[0]!.say('here');
    await later(15_000);
  }
  expect(opened).toMatchObject([{ isOpen: true }]);
  expect(isLive()).toBe(true);
  await later(25_000);
  expect(opened).toMatchObject([{ isOpen: false }]);
  expect(isLive()).toBe(false);
  await later(2_000);
  await vi.waitFor(() => expect(opened).toMatchObject([{ isOpen: false }, { isOpen: true }]));
});

test('called off, it lets the connection go and opens none again', async () => {
  stop = followStream(new QueryClient());
  await vi.waitFor(() => expect(opened).toHaveLength(1));
  stop();
  await later(120_000);
  expect(opened).toMatchObject([{ isOpen: false }]);
});

test('without locks no window holds a stream: several would use up the connections of the browser', async () => {
  vi.stubGlobal('navigator', {});
  stop = followStream(new QueryClient());
  await later(120_000);
  expect(opened).toEqual([]);
});
