import { z } from 'zod';
import { WEBHOOK_NEWS, WEBHOOK_URL_MAX } from '#rules/webhooks/webhook-terms.ts';
import { publicUrl } from './http/public-url.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const news = z
  .array(z.enum(WEBHOOK_NEWS, `Choose among ${WEBHOOK_NEWS.join(', ')}`))
  .min(1, 'Choose at least one kind of news')
  .max(WEBHOOK_NEWS.length);
const url = publicUrl('address', WEBHOOK_URL_MAX);

const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    /** The kinds of news that are posted, as in /api/notifications/choices/. */
    news: z.array(z.enum(WEBHOOK_NEWS)),
    is_on: z.boolean(),
    /** failing: nothing was taken for days. gone: the receiver answered 410. Null while it is on. */
    off_because: z.enum(['owner', 'failing', 'gone']).nullable(),
    /** Real time, all of these. Since when nothing was taken; null after a success. */
    failing_since: z.string().nullable(),
    /** Until when the former secret signs as well. */
    former_secret_until: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'Webhook' });

export type Webhook = z.infer<typeof webhook>;

const withSecret = z.object({ webhook, secret: z.string() }).meta({ id: 'WebhookWithSecret' });

const delivery = z
  .object({
    /** Sent as webhook-id. */
    id: z.string(),
    /** As the notification has it; test for one that was asked for. */
    type: z.string(),
    status: z.enum(['waiting', 'taken', 'failed']),
    attempts: z.number().int(),
    /** The HTTP status of the last answer; null where none came. */
    answered: z.number().int().nullable(),
    /** What was wrong at the last attempt, as a sentence. */
    problem: z.string().nullable(),
    created_at: z.string(),
    tried_at: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export type WebhookDelivery = z.infer<typeof delivery>;

const room = { room: 'webhooks', security: 'bearer' } as const;
const own = { ...room, params: idParams, refusals: ['not_found'] } as const;

export const webhooksEndpoints = {
  listWebhooks: endpoint(ROUTES.listWebhooks, {
    ...room,
    summary: 'Your webhooks, oldest first',
    description: 'Addresses to which your notifications are posted, signed.',
    status: 200,
    answer: z.array(webhook),
    refusals: [],
  }),
  createWebhook: endpoint(ROUTES.createWebhook, {
    ...room,
    confirms: 'second factor',
    summary: 'Create a webhook',
    description:
      'secret is shown this once; it signs each delivery by the scheme of Standard Webhooks. Only https, and only addresses of the public Internet.',
    body: z.strictObject({ url, news }).meta({ id: 'CreateWebhookRequest' }),
    status: 201,
    answer: withSecret,
    refusals: ['out_of_range'],
  }),
  changeWebhook: endpoint(ROUTES.changeWebhook, {
    ...own,
    confirms: 'second factor',
    summary: 'Change a webhook, or turn it off or on',
    description: 'Changes only the fields sent.',
    body: z
      .strictObject({ url: url.optional(), news: news.optional(), is_on: z.boolean().optional() })
      .meta({ id: 'ChangeWebhookRequest' }),
    status: 200,
    answer: webhook,
  }),
  removeWebhook: endpoint(ROUTES.removeWebhook, {
    ...own,
    summary: 'Remove a webhook with its deliveries',
    description: 'What waits is not sent.',
    status: 204,
    answer: z.void(),
  }),
  rotateWebhookSecret: endpoint(ROUTES.rotateWebhookSecret, {
    ...own,
    confirms: 'second factor',
    summary: 'Replace the secret of a webhook',
    description:
      'For 24 hours both secrets sign each delivery, so that nothing is lost while you change yours.',
    status: 200,
    answer: withSecret,
  }),
  testWebhook: endpoint(ROUTES.testWebhook, {
    ...own,
    summary: 'Send a test to a webhook',
    description: 'Its delivery appears in the log like any other.',
    status: 202,
    answer: delivery,
    refusals: ['not_found', 'illegal_move'],
  }),
  listWebhookDeliveries: endpoint(ROUTES.listWebhookDeliveries, {
    ...own,
    summary: 'The newest 50 deliveries of a webhook, newest first',
    description: 'With the status of the last answer and what was wrong.',
    status: 200,
    answer: z.array(delivery),
  }),
} as const;
