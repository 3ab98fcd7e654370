import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { hearEvent } from './hear-event.ts';

const say = (cache: QueryClient, event: string, data: object) =>
  hearEvent(cache, { event, data: JSON.stringify(data) });

test('a notification comes first in the list, once, and only into a list that was read', () => {
  const cache = new QueryClient();
  say(cache, 'notification', { id: 'a' });
  expect(cache.getQueryData(['notifications'])).toBeUndefined();
  cache.setQueryData(['notifications'], [{ id: 'a' }]);
  say(cache, 'notification', { id: 'b' });
  say(cache, 'notification', { id: 'b' });
  expect(cache.getQueryData(['notifications'])).toEqual([{ id: 'b' }, { id: 'a' }]);
});

test('a mark replaces what a page and the list show of that deployment alone', () => {
  const cache = new QueryClient();
  cache.setQueryData(
    ['deployments'],
    [
      { id: 'x', equity: 1 },
      { id: 'y', equity: 2 },
    ],
  );
  cache.setQueryData(['deployments', 'x'], { id: 'x', equity: 1 });
  say(cache, 'mark', { id: 'x', equity: 3 });
  say(cache, 'mark', { id: 'z', equity: 4 });
  expect(cache.getQueryData(['deployments', 'x'])).toEqual({ id: 'x', equity: 3 });
  expect(cache.getQueryData(['deployments', 'z'])).toBeUndefined();
  expect(cache.getQueryData(['deployments'])).toEqual([
    { id: 'z', equity: 4 },
    { id: 'x', equity: 3 },
    { id: 'y', equity: 2 },
  ]);
});

test('a read that was under way does not put older figures back', async () => {
  const cache = new QueryClient();
  cache.setQueryData(['deployments', 'x'], { id: 'x', equity: 1 });
  const older = Promise.withResolvers<object>();
  const read = cache.fetchQuery({ queryKey: ['deployments', 'x'], queryFn: () => older.promise });
  say(cache, 'mark', { id: 'x', equity: 3 });
  older.resolve({ id: 'x', equity: 2 });
  await read;
  expect(cache.getQueryState(['deployments', 'x'])).toMatchObject({
    data: { id: 'x', equity: 3 },
    fetchStatus: 'idle',
  });
});

test('a first read is not given up for a mark: nothing else would show the page', async () => {
  const cache = new QueryClient();
  const read = cache.fetchQuery({
    queryKey: ['deployments', 'x'],
    queryFn: async () => ({ id: 'x', equity: 1 }),
  });
  say(cache, 'mark', { id: 'x', equity: 3 });
  await expect(read).resolves.toEqual({ id: 'x', equity: 1 });
});

test('a sign of life changes nothing', () => {
  const cache = new QueryClient();
  cache.setQueryData(['deployments'], []);
  say(cache, 'here', {});
  expect(cache.getQueryData(['deployments'])).toEqual([]);
});
