import type { Notification } from '#contract/notifications.ts';
import type { NotificationRecord } from '#records/notifications/notifications.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';

export function showNotification(record: NotificationRecord): Notification {
  return {
    id: record.id,
    kind: record.facts.kind,
    ...noticeText(record.facts),
    read: record.isRead,
    created_at: record.createdAt.toISOString(),
    deployment: record.deploymentId,
    decision: record.decision && `${record.deploymentId} ${record.decision}`,
  };
}
