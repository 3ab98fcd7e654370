import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { historyThread } from './history-thread.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'history-thread-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('a question at the moment when the idle thread is put away is answered by the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const series = historyThread(dataDir);
    const ask = () => series({ source: 'test', interval: '1d', symbol: 'NONE' as Symbol }, [], {});
    expect((await ask()).ok).toBe(true);
    vi.runOnlyPendingTimers();
    expect((await ask()).ok).toBe(true);
    vi.runOnlyPendingTimers();
  } finally {
    vi.useRealTimers();
  }
});
