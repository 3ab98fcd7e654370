import type { notificationsEndpoints } from '#contract/notifications.ts';
import { changePreferences } from '#records/notifications/notification-preferences.ts';
import type { Call } from '../http/call.ts';

export const changeNotificationPreferences: Call<
  typeof notificationsEndpoints.changeNotificationPreferences
> = ({ body, caller }, { records }) =>
  changePreferences(records.database, { userId: caller.userId, change: body });
