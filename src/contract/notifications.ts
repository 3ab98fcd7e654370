import { z } from 'zod';
import { CHANNELS, NEWS } from '#rules/notifications/choices.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

export const notification = z
  .object({
    id: z.string(),
    /** What happened, such as 'order_filled'; further kinds may come. */
    kind: z.string(),
    title: z.string(),
    message: z.string(),
    read: z.boolean(),
    created_at: z.string(),
    /** The deployment concerned, where there is one. */
    deployment: z.string().nullable(),
    /** The same for all notifications of one decision, such as its fills: show them as one. Null for what stands alone. */
    decision: z.string().nullable(),
  })
  .meta({ id: 'Notification' });

export type Notification = z.infer<typeof notification>;

/** One execution, as sent on the stream. Money in dollars. */
const streamedFill = z
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

/** True: that news goes by that channel. A channel that is not named carries none of it. */
const choices = z
  .object({
    fills: z.object({ mail: z.boolean(), site: z.boolean(), push: z.boolean(), telegram: z.boolean() }),
    risk: z.object({ mail: z.boolean(), site: z.boolean(), push: z.boolean(), telegram: z.boolean() }),
    /** On the site always. */
    updates: z.object({ mail: z.boolean(), site: z.boolean(), push: z.boolean(), telegram: z.boolean() }),
    fees: z.object({ mail: z.boolean(), site: z.boolean(), push: z.boolean(), telegram: z.boolean() }),
    /** Mailed always. */
    security: z.object({ mail: z.boolean(), site: z.boolean(), push: z.boolean(), telegram: z.boolean() }),
    reports: z.object({ mail: z.boolean() }),
    market: z.object({ site: z.boolean() }),
  })
  .meta({ id: 'NotificationChoices' });

const cell = z.strictObject({
  news: z.enum(NEWS, `Choose among ${NEWS.join(', ')}`),
  channel: z.enum(CHANNELS, `Choose among ${CHANNELS.join(', ')}`),
  is_on: z.boolean('Say true or false'),
});

const choicesChange = z
  .strictObject({
    choices: z
      .array(cell)
      .min(1, 'Name at least one choice')
      .max(NEWS.length * CHANNELS.length),
  })
  .meta({ id: 'ChangeNotificationChoicesRequest' });

export const notificationsEndpoints = {
  listNotifications: endpoint(ROUTES.listNotifications, {
    room: 'notifications',
    summary: 'The newest 200 notifications, newest first',
    description: 'Newest first; read marks those already seen.',
    security: 'bearer',
    status: 200,
    answer: z.array(notification),
    refusals: [],
  }),
  getNotification: endpoint(ROUTES.getNotification, {
    room: 'notifications',
    summary: 'One notification',
    description: 'One of your notifications.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: notification,
    refusals: ['not_found'],
  }),
  markNotificationRead: endpoint(ROUTES.markNotificationRead, {
    room: 'notifications',
    summary: 'Mark one as read',
    description: 'Repeating it changes nothing.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: notification,
    refusals: ['not_found'],
  }),
  markAllNotificationsRead: endpoint(ROUTES.markAllNotificationsRead, {
    room: 'notifications',
    summary: 'Mark all as read',
    description: 'Returns how many were unread.',
    security: 'bearer',
    status: 200,
    answer: z.object({ marked: z.number().int() }).meta({ id: 'MarkedAsRead' }),
    refusals: [],
  }),
  getNotificationPreferences: endpoint(ROUTES.getNotificationPreferences, {
    room: 'notifications',
    summary: 'Six of the choices, as switches',
    description: 'Three for mail, three for the site; /api/notifications/choices/ has all.',
    security: 'bearer',
    status: 200,
    answer: notificationPreferences,
    refusals: [],
  }),
  changeNotificationPreferences: endpoint(ROUTES.changeNotificationPreferences, {
    room: 'notifications',
    summary: 'Change some of them',
    description: 'Changes only the switches sent. strategyUpdates turns the mails of updates, risk and fees.',
    security: 'bearer',
    body: preferencesChange,
    status: 200,
    answer: notificationPreferences,
    refusals: [],
  }),
  getNotificationChoices: endpoint(ROUTES.getNotificationChoices, {
    room: 'notifications',
    summary: 'Which news goes by which channel',
    description: 'The list of notifications always shows everything.',
    security: 'bearer',
    status: 200,
    answer: choices,
    refusals: [],
  }),
  changeNotificationChoices: endpoint(ROUTES.changeNotificationChoices, {
    room: 'notifications',
    summary: 'Change some choices',
    description: 'Changes only what is named. News of the account’s security is always mailed.',
    security: 'bearer',
    body: choicesChange,
    status: 200,
    answer: choices,
    refusals: ['out_of_range'],
  }),
  openStream: endpoint(ROUTES.openStream, {
    room: 'notifications',
    summary:
      'Your server-sent events: hello, then notification (Notification), fill (StreamedFill) and mark (a changed Deployment)',
    description:
      'Ends with the access token, after at most ten minutes; reconnect with a new one. At most six streams per person. A client that does not read is dropped within 90 seconds.',
    security: 'bearer',
    status: 200,
    answer: z.string(),
    media: 'text/event-stream',
    refusals: [],
  }),
} as const;
