import type { notificationsEndpoints } from '#contract/notifications.ts';
import { readChoices } from '#records/notifications/news-choices.ts';
import { preferencesOf } from '#rules/notifications/preferences.ts';
import type { Call } from '../http/call.ts';

export const getNotificationPreferences: Call<
  typeof notificationsEndpoints.getNotificationPreferences
> = async ({ caller }, { records }) => preferencesOf(await readChoices(records.database, caller.userId));
