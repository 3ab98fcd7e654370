import type { QueryClient } from '@tanstack/react-query';
import type { Deployment } from '#contract/deployments.ts';
import type { Notification, StreamedFill } from '#contract/notifications.ts';
import type { StreamEvent } from '../call/read-events.ts';

/** Writes stream events to the cache that the screens read and polling fills. */
export function hearEvent(cache: QueryClient, { event, data }: StreamEvent): void {
  if (event === 'notification') return hearNotification(cache, JSON.parse(data) as Notification);
  if (event === 'mark') return hearMark(cache, JSON.parse(data) as Deployment);
  if (event === 'fill') {
    const { deployment } = JSON.parse(data) as StreamedFill;
    void cache.invalidateQueries({ queryKey: ['deployments', deployment, 'trades'] });
    void cache.invalidateQueries({ queryKey: ['deployments', deployment, 'timeline'] });
  }
}

function hearNotification(cache: QueryClient, notification: Notification): void {
  cache.setQueryData<readonly Notification[]>(['notifications'], (list) =>
    list === undefined || list.some(({ id }) => id === notification.id) ? list : [notification, ...list],
  );
}

/** Only where it has been read: a page that shows nothing of it needs nothing of it. */
function hearMark(cache: QueryClient, deployment: Deployment): void {
  const { id } = deployment;
  // A read under way may have been answered from before, and would put the older figures back for a long while.
  for (const queryKey of [['deployments'], ['deployments', id]])
    if (cache.getQueryData(queryKey) !== undefined) void cache.cancelQueries({ queryKey, exact: true });
  cache.setQueryData<Deployment>(['deployments', id], (kept) => kept && deployment);
  cache.setQueryData<readonly Deployment[]>(['deployments'], (list) => {
    if (list === undefined) return undefined;
    if (list.every((one) => one.id !== id)) return [deployment, ...list];
    return list.map((one) => (one.id === id ? deployment : one));
  });
}
