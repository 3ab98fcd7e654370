import type { notificationsEndpoints } from '#contract/notifications.ts';
import { findOwnNotification } from '#records/notifications/notifications.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showNotification } from './show-notification.ts';

export const getNotification: Call<typeof notificationsEndpoints.getNotification> = async (
  { params, caller },
  { records },
) => {
  const found = await findOwnNotification(records.database, { id: params.id, userId: caller.userId });
  return found ? showNotification(found) : notFound();
};
