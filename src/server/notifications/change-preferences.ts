import type { notificationsEndpoints } from '#contract/notifications.ts';
import { changeChoices } from '#records/notifications/news-choices.ts';
import { choicesOfChange, preferencesOf } from '#rules/notifications/preferences.ts';
import type { Call } from '../http/call.ts';

export const changeNotificationPreferences: Call<
  typeof notificationsEndpoints.changeNotificationPreferences
> = async ({ body, caller: { userId } }, { records }) =>
  preferencesOf(await changeChoices(records.database, { userId, choices: choicesOfChange(body) }));
