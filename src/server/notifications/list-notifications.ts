import type { notificationsEndpoints } from '#contract/notifications.ts';
import { listNotifications as list } from '#records/notifications/notifications.ts';
import type { Call } from '../http/call.ts';
import { showNotification } from './show-notification.ts';

const SHOWN_MAX = 200;

export const listNotifications: Call<typeof notificationsEndpoints.listNotifications> = async (
  { caller },
  { records },
) => (await list(records.database, { userId: caller.userId, limit: SHOWN_MAX })).map(showNotification);
