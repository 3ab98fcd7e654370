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

test('a sign of life changes nothing', () => {
  const cache = new QueryClient();
  cache.setQueryData(['deployments'], []);
  say(cache, 'here', {});
  expect(cache.getQueryData(['deployments'])).toEqual([]);
});
