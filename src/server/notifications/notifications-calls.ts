import type { notificationsEndpoints } from '#contract/notifications.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { changeNotificationPreferences } from './change-preferences.ts';
import { changeNotificationChoices } from './change-choices.ts';
import { getNotificationChoices } from './get-choices.ts';
import { getNotification } from './get-notification.ts';
import { getNotificationPreferences } from './get-preferences.ts';
import { listNotifications } from './list-notifications.ts';
import { markAllRead } from './mark-all-read.ts';
import { markRead } from './mark-read.ts';
import { makeOpenStream, type Streams } from './open-stream.ts';

export function notificationsCalls(streams: Streams): RoomCalls<typeof notificationsEndpoints> {
  return {
    listNotifications,
    getNotification,
    markNotificationRead: markRead,
    markAllNotificationsRead: markAllRead,
    getNotificationPreferences,
    changeNotificationPreferences,
    getNotificationChoices,
    changeNotificationChoices,
    openStream: makeOpenStream(streams),
  };
}
