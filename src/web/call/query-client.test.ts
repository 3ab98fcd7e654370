import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CallError } from './call-error.ts';
import { queryClient } from './query-client.ts';

afterEach(() => {
  onlineManager.setOnline(true);
  vi.useRealTimers();
  queryClient.clear();
});

const unreachable = () => Promise.reject(new CallError(0, { code: 'unreachable', message: 'No way.' }));

describe('in a browser that says it is offline', () => {
  it('an act fails with a sentence at once, and is not kept to be sent later', async () => {
    onlineManager.setOnline(false);
    const send = vi.fn(unreachable);
    await expect(new MutationObserver(queryClient, { mutationFn: send }).mutate()).rejects.toThrow('No way.');
    onlineManager.setOnline(true);
    await queryClient.resumePausedMutations();
    expect(send).toHaveBeenCalledOnce();
  });

  it('a read fails with a sentence instead of waiting without a word', async () => {
    vi.useFakeTimers();
    onlineManager.setOnline(false);
    const failed = vi.fn();
    queryClient.fetchQuery({ queryKey: ['x'], queryFn: unreachable, retry: false }).catch(failed);
    await vi.advanceTimersByTimeAsync(0);
    expect(failed).toHaveBeenCalledOnce();
  });
});

it('tries again what may pass by itself, but not what was waited for in vain', async () => {
  vi.useFakeTimers();
  const tries = async (error: CallError) => {
    const read = vi.fn(() => Promise.reject(error));
    const given = queryClient.fetchQuery({ queryKey: [error.code], queryFn: read });
    given.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    return read.mock.calls.length;
  };
  expect(await tries(new CallError(0, { code: 'unreachable', message: '' }))).toBe(3);
  expect(await tries(new CallError(503, { code: 'unavailable', message: '' }))).toBe(3);
  expect(await tries(new CallError(0, { code: 'late', message: '' }))).toBe(1);
  expect(await tries(new CallError(404, { code: 'not_found', message: '' }))).toBe(1);
});
