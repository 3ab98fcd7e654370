import type { notificationsEndpoints } from '#contract/notifications.ts';
import { findOwnNotification } from '#records/notifications.ts';
import type { Call } from '../call.ts';
import { notFound } from '../refusal.ts';
import { showNotification } from './show-notification.ts';

export const getNotification: Call<typeof notificationsEndpoints.getNotification> = async (
  { params, caller },
  { records },
) => {
  const found = await findOwnNotification(records.database, { id: params.id, userId: caller.userId });
  return found ? showNotification(found) : notFound();
};
