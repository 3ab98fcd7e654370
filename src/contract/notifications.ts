import { z } from 'zod';
import { endpoint, idParams } from './endpoint.ts';
import { ROUTES } from './route.ts';

export const notification = z
  .object({
    id: z.string(),
    /** What happened, such as 'order_filled'; further kinds may come. */
    kind: z.string(),
    title: z.string(),
    message: z.string(),
    read: z.boolean(),
    created_at: z.string(),
    /** The deployment that it is about, where there is one. */
    deployment: z.string().nullable(),
  })
  .meta({ id: 'Notification' });

export type Notification = z.infer<typeof notification>;

/** One execution, as the stream tells it. Money in dollars. */
export const streamedFill = z
  .object({
    id: z.string(),
    deployment: z.string(),
    ticker: z.string(),
    trade_type: z.enum(['buy', 'sell']),
    quantity: z.number(),
    price: z.number(),
    commission: z.number(),
    executed_at: z.string(),
  })
  .meta({ id: 'StreamedFill' });

export type StreamedFill = z.infer<typeof streamedFill>;

export const notificationPreferences = z
  .object({
    email: z.object({
      tradeConfirmations: z.boolean(),
      strategyUpdates: z.boolean(),
      performanceReports: z.boolean(),
    }),
    push: z.object({ tradeAlerts: z.boolean(), riskWarnings: z.boolean(), marketUpdates: z.boolean() }),
  })
  .meta({ id: 'NotificationPreferences' });

const preferencesChange = z
  .strictObject({
    email: z.strictObject(notificationPreferences.shape.email.shape).partial().optional(),
    push: z.strictObject(notificationPreferences.shape.push.shape).partial().optional(),
  })
  .meta({ id: 'ChangeNotificationPreferencesRequest' });

export const notificationsEndpoints = {
  listNotifications: endpoint(ROUTES.listNotifications, {
    room: 'notifications',
    summary: 'The newest 200 notifications, newest first',
    description: 'Newest first; read tells the ones already seen.',
    security: 'bearer',
    status: 200,
    answer: z.array(notification),
    refusals: [],
  }),
  getNotification: endpoint(ROUTES.getNotification, {
    room: 'notifications',
    summary: 'One notification',
    description: 'One notification of this person.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: notification,
    refusals: ['not_found'],
  }),
  markNotificationRead: endpoint(ROUTES.markNotificationRead, {
    room: 'notifications',
    summary: 'Mark one as read',
    description: 'Marking it again changes nothing.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: notification,
    refusals: ['not_found'],
  }),
  markAllNotificationsRead: endpoint(ROUTES.markAllNotificationsRead, {
    room: 'notifications',
    summary: 'Mark all as read',
    description: 'Answers how many were unread.',
    security: 'bearer',
    status: 200,
    answer: z.object({ marked: z.number().int() }).meta({ id: 'MarkedAsRead' }),
    refusals: [],
  }),
  getNotificationPreferences: endpoint(ROUTES.getNotificationPreferences, {
    room: 'notifications',
    summary: 'What is mailed and what is shown as a toast',
    description: 'Six switches: three decide what is mailed, three what is shown as a toast.',
    security: 'bearer',
    status: 200,
    answer: notificationPreferences,
    refusals: [],
  }),
  changeNotificationPreferences: endpoint(ROUTES.changeNotificationPreferences, {
    room: 'notifications',
    summary: 'Change some of them; what is not named stays',
    description: 'Changes the switches that are named.',
    security: 'bearer',
    body: preferencesChange,
    status: 200,
    answer: notificationPreferences,
    refusals: [],
  }),
  openStream: endpoint(ROUTES.openStream, {
    room: 'notifications',
    summary:
      'Server-sent events about what is yours: notification (a Notification), fill (a StreamedFill), mark (a Deployment whose figures or state changed), after one hello. Ends with the access token',
    description:
      'Ends with the access token after ten minutes at the latest; the reader comes back with a fresh one. A person may have six streams open. A reader that does not read is dropped within a minute and a half.',
    security: 'bearer',
    status: 200,
    answer: z.string(),
    media: 'text/event-stream',
    refusals: [],
  }),
} as const;
