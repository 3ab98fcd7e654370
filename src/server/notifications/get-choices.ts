import type { notificationsEndpoints } from '#contract/notifications.ts';
import { readChoices } from '#records/notifications/news-choices.ts';
import type { Call } from '../http/call.ts';

export const getNotificationChoices: Call<typeof notificationsEndpoints.getNotificationChoices> = (
  { caller },
  { records },
) => readChoices(records.database, caller.userId);
