import { useEffect, useRef } from 'react';
import type { Notification } from '#contract/notifications.ts';
import { newsOf } from '#rules/notifications/choices.ts';
import { isToasted, type NotificationPreferences } from '#rules/notifications/preferences.ts';
import { showToast } from '../kit/overlay/toast.ts';

/** Of one decision only what is heard first. */
const keyOf = ({ id, decision }: Notification) => decision ?? id;

/**
 * The first load toasts nothing; afterwards only the newest unread one that was not seen yet (specification, section
 * 4), of those that the person wants as toasts.
 */
export function useNotificationToasts(
  notifications: readonly Notification[] | undefined,
  push: NotificationPreferences['push'],
): void {
  const seen = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (notifications === undefined) return;
    const known = seen.current;
    const newest =
      known && notifications.find((one) => !one.read && !known.has(keyOf(one)) && isToasted(one.kind, push));
    seen.current = new Set(notifications.map(keyOf));
    if (newest) showToast({ title: newest.title, message: newest.message, place: newsOf(newest.kind) });
  }, [notifications, push]);
}
