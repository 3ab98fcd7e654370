import type { notificationsEndpoints } from '#contract/notifications.ts';
import type { RoomCalls } from '../mount-room.ts';
import { changeNotificationPreferences } from './change-preferences.ts';
import { getNotification } from './get-notification.ts';
import { getNotificationPreferences } from './get-preferences.ts';
import { listNotifications } from './list-notifications.ts';
import { markAllRead } from './mark-all-read.ts';
import { markRead } from './mark-read.ts';

export const notificationsCalls: RoomCalls<typeof notificationsEndpoints> = {
  listNotifications,
  getNotification,
  markNotificationRead: markRead,
  markAllNotificationsRead: markAllRead,
  getNotificationPreferences,
  changeNotificationPreferences,
};
