import { z } from 'zod';
import { NEWS_CHANNELS } from '#rules/news/news-terms.ts';
import { WEBHOOK_URL_MAX } from '#rules/webhooks/webhook-terms.ts';
import { publicUrl } from './http/public-url.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const address = z
  .object({
    id: z.string(),
    channel: z.enum(NEWS_CHANNELS),
    /** The browser, or the name in the chat. */
    name: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'NewsAddress' });

export type NewsAddress = z.infer<typeof address>;

const channels = z
  .object({
    push: z.object({
      /** Give it to a browser as applicationServerKey, and send it back with what the browser answers. */
      public_key: z.string(),
    }),
    /** Null where this installation has no bot. */
    telegram: z.object({ bot: z.string() }).nullable(),
    /** Oldest first. */
    addresses: z.array(address),
  })
  .meta({ id: 'NewsOutside' });

export type NewsOutside = z.infer<typeof channels>;

const telegramCode = z
  .object({
    /** Opens the bot, which then sends the code. */
    url: z.string(),
    /** To type by hand: /start and the code. */
    code: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'TelegramCode' });

const delivery = z
  .object({
    id: z.string(),
    channel: z.enum(NEWS_CHANNELS),
    /** The address as it was called. */
    name: z.string(),
    /** As the notification has it; test for one that was asked for. */
    type: z.string(),
    status: z.enum(['waiting', 'taken', 'failed']),
    attempts: z.number().int(),
    /** What was wrong at the last attempt, as a sentence. */
    problem: z.string().nullable(),
    created_at: z.string(),
    tried_at: z.string().nullable(),
  })
  .meta({ id: 'NewsDelivery' });

export type NewsDelivery = z.infer<typeof delivery>;

const base64url = (bytes: number, what: string) =>
  z
    .string(what)
    .regex(/^[\w-]+={0,2}$/, what)
    .refine((text) => atob(text.replaceAll('-', '+').replaceAll('_', '/')).length === bytes, what);

const subscription = z
  .strictObject({
    endpoint: publicUrl('endpoint', WEBHOOK_URL_MAX),
    keys: z.strictObject({
      p256dh: base64url(65, 'Give the public key of the browser, 65 bytes in base64url'),
      auth: base64url(16, 'Give the secret of the browser, 16 bytes in base64url'),
    }),
    /** The key that the browser was given. */
    public_key: z.string().max(200),
  })
  .meta({ id: 'AddBrowserRequest' });

const room = { room: 'news', security: 'bearer' } as const;
const own = { ...room, params: idParams, refusals: ['not_found'] } as const;

export const newsEndpoints = {
  getNewsOutside: endpoint(ROUTES.getNewsOutside, {
    ...room,
    summary: 'Where your news goes outside of the product',
    description: 'Your browsers and chats, and what is needed to add one.',
    status: 200,
    answer: channels,
    refusals: [],
  }),
  addBrowser: endpoint(ROUTES.addBrowser, {
    ...room,
    confirms: 'second factor',
    summary: 'Send news to this browser',
    description: 'Takes what the Push API of the browser gave. The same browser twice is once.',
    body: subscription,
    status: 201,
    answer: address,
    refusals: ['out_of_range'],
  }),
  linkTelegram: endpoint(ROUTES.linkTelegram, {
    ...room,
    confirms: 'second factor',
    summary: 'Get a code that links a Telegram chat',
    description: 'It counts once, for ten minutes, and takes the place of the one before it.',
    status: 201,
    answer: telegramCode,
    refusals: ['not_found', 'out_of_range'],
  }),
  removeNewsAddress: endpoint(ROUTES.removeNewsAddress, {
    ...own,
    summary: 'Send no more news there',
    description: 'What waits is not sent.',
    status: 204,
    answer: z.void(),
  }),
  testNewsAddress: endpoint(ROUTES.testNewsAddress, {
    ...own,
    summary: 'Send a test there',
    description: 'Its delivery appears in the log like any other.',
    status: 202,
    answer: delivery,
  }),
  listNewsDeliveries: endpoint(ROUTES.listNewsDeliveries, {
    ...room,
    summary: 'The newest 50 deliveries to your browsers and chats, newest first',
    description: 'With what was wrong at the last attempt.',
    status: 200,
    answer: z.array(delivery),
    refusals: [],
  }),
} as const;
