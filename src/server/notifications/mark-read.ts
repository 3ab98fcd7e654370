import type { notificationsEndpoints } from '#contract/notifications.ts';
import { findOwnNotification, markNotificationsRead } from '#records/notifications/notifications.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showNotification } from './show-notification.ts';

export const markRead: Call<typeof notificationsEndpoints.markNotificationRead> = async (
  { params, caller },
  { records, now },
) => {
  const { userId } = caller;
  const found = await findOwnNotification(records.database, { id: params.id, userId });
  if (!found) return notFound();
  await markNotificationsRead(records.database, { id: found.id, userId, at: now() });
  return showNotification({ ...found, isRead: true });
};
