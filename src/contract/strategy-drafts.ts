import { z } from 'zod';
import { INSTRUMENT_KINDS } from '#engine/market/instrument.ts';
import { endpoint, idParams } from './endpoint.ts';
import { ROUTES } from './route.ts';
import { MARKETS, STRATEGY_TYPES } from './strategies.ts';

const STRATEGY_STATUSES = ['draft', 'published', 'retired'] as const;

/** A strategy as its writer sees it; without figures, which only a result has. */
export const strategyDraft = z
  .object({
    id: z.string(),
    name: z.string(),
    shortDescription: z.string(),
    description: z.string(),
    strategy_type: z.enum(STRATEGY_TYPES),
    asset_class: z.enum(INSTRUMENT_KINDS),
    market: z.enum(MARKETS),
    /** Dollars. */
    min_investment: z.number(),
    status: z.enum(STRATEGY_STATUSES),
    /** Grows with each other definition; a version itself never changes. */
    version: z.number().int(),
    version_id: z.string(),
    definition: z.unknown(),
    definition_hash: z.string(),
    /** Its address, or null without a picture. */
    thumbnail: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'StrategyDraft' });

export type StrategyDraft = z.infer<typeof strategyDraft>;

const text = (label: string, max: number) =>
  z.string(`Give ${label}`).trim().min(1, `Give ${label}`).max(max, `At most ${max} characters`);

/** Fields of a multipart form: all of them are text, but for the picture. */
const draftFields = {
  name: text('a name', 120),
  shortDescription: text('a short description', 240),
  description: z.string().trim().max(10_000, 'At most 10000 characters').default(''),
  strategy_type: z.enum(STRATEGY_TYPES, `Choose one of ${STRATEGY_TYPES.join(', ')}`),
  market: z.enum(MARKETS, `Choose one of ${MARKETS.join(', ')}`),
  min_investment: z.coerce
    .number('Give the minimum investment in dollars')
    .min(1_000, 'Give at least 1000 dollars')
    .max(1_000_000_000, 'Give a smaller amount'),
  /** The definition as JSON text. */
  definition: z.string('Give the definition as JSON').min(2, 'Give the definition as JSON').max(200_000),
  thumbnail: z.file('Send the picture as a file').optional(),
};

const createBody = z.strictObject(draftFields).meta({ id: 'CreateStrategyForm' });
const changeBody = z
  .strictObject({
    ...draftFields,
    description: z.string().trim().max(10_000, 'At most 10000 characters'),
    status: z.enum(STRATEGY_STATUSES),
  })
  .partial()
  .meta({ id: 'ChangeStrategyForm' });

const room = { room: 'strategies', security: 'bearer' } as const;

export const strategyDraftEndpoints = {
  listStrategyDrafts: endpoint(ROUTES.listStrategyDrafts, {
    ...room,
    summary: 'Own strategies that are not published, newest first',
    description: 'What this person wrote and nobody published yet, with its definition.',
    status: 200,
    answer: z.array(strategyDraft),
    refusals: [],
  }),
  createStrategy: endpoint(ROUTES.createStrategy, {
    ...room,
    summary: 'Write a strategy, as a draft of one’s own; the picture is encoded anew',
    description:
      'A form with the fields of a strategy, its definition as JSON text, and a picture of at most 2 MB and 40 megapixels. The picture is cropped and written anew, so that nothing of the upload but its pixels is kept.',
    form: 'multipart',
    body: createBody,
    status: 201,
    answer: strategyDraft,
    refusals: ['definition_invalid', 'image_invalid'],
  }),
  changeStrategy: endpoint(ROUTES.changeStrategy, {
    ...room,
    summary: 'Change own drafts; the provider’s staff may change its strategies too, publish and retire them',
    description:
      'A form with what is to change. Another definition becomes the next version; what is deployed keeps the version it began with.',
    form: 'multipart',
    params: idParams,
    body: changeBody,
    status: 200,
    answer: strategyDraft,
    refusals: ['forbidden', 'not_found', 'definition_invalid', 'image_invalid'],
  }),
  removeStrategy: endpoint(ROUTES.removeStrategy, {
    ...room,
    summary: 'Remove a draft; what was published is retired instead',
    description: 'Removes a draft that was never published nor deployed.',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'in_use'],
  }),
  getStrategyThumbnail: endpoint(ROUTES.getStrategyThumbnail, {
    room: 'strategies',
    security: 'open',
    summary: 'The picture of a strategy, under the hash that its strategy names',
    description:
      'A WebP picture of 640 by 360 pixels. Another picture has another address, so that it may be kept for a year.',
    params: idParams.extend({
      hash: z.string().max(100).describe('Of the picture, as the address in the strategy names it.'),
    }),
    status: 200,
    answer: z.string(),
    media: 'image/webp',
    refusals: ['not_found'],
  }),
} as const;
