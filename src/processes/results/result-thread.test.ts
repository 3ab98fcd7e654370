import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import type { DeploymentId, StrategyVersionId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { resultHandler } from './result-thread.ts';

test('work at the moment when the idle thread is put away goes to the next one', async () => {
  const { url } = await testDatabase();
  vi.stubEnv('DATABASE_URL', url);
  const handle = resultHandler(async () => ({ now: 0 as Instant, mode: 'sandbox' }));
  const signal = new AbortController().signal;
  const work = () =>
    handle({
      data: {
        versionId: randomUUID() as StrategyVersionId,
        work: 'range',
        deploymentId: randomUUID() as DeploymentId,
      },
      attempt: 1,
      isLast: false,
      lost: signal,
      stopping: signal,
    });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    expect(await work()).toBe('done');
    vi.runOnlyPendingTimers();
    expect(await work()).toBe('done');
    vi.runOnlyPendingTimers();
  } finally {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  }
});
