import type { Notification } from '#contract/notifications.ts';
import type { NotificationRecord } from '#records/notifications/notifications.ts';

export function showNotification(record: NotificationRecord): Notification {
  return {
    id: record.id,
    kind: record.kind,
    title: record.title,
    message: record.message,
    read: record.isRead,
    created_at: record.createdAt.toISOString(),
    deployment: record.deploymentId,
  };
}
