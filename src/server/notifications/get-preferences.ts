import type { notificationsEndpoints } from '#contract/notifications.ts';
import { readPreferences } from '#records/notifications/notification-preferences.ts';
import type { Call } from '../http/call.ts';

export const getNotificationPreferences: Call<typeof notificationsEndpoints.getNotificationPreferences> = (
  { caller },
  { records },
) => readPreferences(records.database, caller.userId);
