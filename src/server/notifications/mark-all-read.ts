import type { notificationsEndpoints } from '#contract/notifications.ts';
import { markNotificationsRead } from '#records/notifications/notifications.ts';
import type { Call } from '../http/call.ts';

export const markAllRead: Call<typeof notificationsEndpoints.markAllNotificationsRead> = async (
  { caller },
  { records, now },
) => ({
  marked: await markNotificationsRead(records.database, { id: null, userId: caller.userId, at: now() }),
});
