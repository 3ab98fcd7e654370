import type { notificationsEndpoints } from '#contract/notifications.ts';
import { readPreferences } from '#records/notification-preferences.ts';
import type { Call } from '../call.ts';

export const getNotificationPreferences: Call<typeof notificationsEndpoints.getNotificationPreferences> = (
  { caller },
  { records },
) => readPreferences(records.database, caller.userId);
