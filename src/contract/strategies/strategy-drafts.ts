import { z } from 'zod';
import { INSTRUMENT_KINDS } from '#engine/market/instrument.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { MARKETS, STRATEGY_TYPES } from './strategies.ts';

const STRATEGY_STATUSES = ['draft', 'published', 'retired'] as const;

/** A strategy as its writer sees it; without figures, which come with a result only. */
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
    /** Grows with each changed definition; a version itself never changes. */
    version: z.number().int(),
    version_id: z.string(),
    definition: z.unknown(),
    definition_hash: z.string(),
    /** A deployment that has not ended trades it: its definition stays as it is. */
    is_traded: z.boolean(),
    /** Its address, or null without a picture. */
    thumbnail: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'StrategyDraft' });

export type StrategyDraft = z.infer<typeof strategyDraft>;

const text = (label: string, max: number) =>
  z.string(`Give ${label}`).trim().min(1, `Give ${label}`).max(max, `At most ${max} characters`);

/** Fields of a multipart form: all of them are text except the picture. */
const draftFields = {
  name: text('a name', 120),
  shortDescription: text('a short description', 240),
  description: z.string().trim().max(10_000, 'At most 10000 characters').default(''),
  strategy_type: z.enum(STRATEGY_TYPES, `Choose one of ${STRATEGY_TYPES.join(', ')}`),
  market: z.enum(MARKETS, `Choose one of ${MARKETS.join(', ')}`),
  min_investment: z.coerce
    .number('Enter the minimum investment in dollars')
    .min(1_000, 'Must be at least 1000 dollars')
    .max(1_000_000_000, 'The amount is too high'),
  /** The definition as JSON text. */
  definition: z.string('Send the definition as JSON').min(2, 'Send the definition as JSON').max(200_000),
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
    summary: 'Your unpublished strategies, newest first',
    description: 'Your drafts with their definitions.',
    status: 200,
    answer: z.array(strategyDraft),
    refusals: [],
  }),
  createStrategy: endpoint(ROUTES.createStrategy, {
    ...room,
    summary: 'Create a draft strategy; its picture is re-encoded',
    description:
      'A form with the fields of a strategy, its definition as JSON text, and a picture of at most 2 MB and 12 megapixels. The picture is cropped and re-encoded, so only its pixels are kept.',
    form: 'multipart',
    body: createBody,
    status: 201,
    answer: strategyDraft,
    refusals: ['definition_invalid', 'image_invalid', 'draft_limit'],
  }),
  changeStrategy: endpoint(ROUTES.changeStrategy, {
    ...room,
    summary: 'Change your drafts; the provider’s staff can also change its strategies',
    description:
      'A form with the fields to change. A new definition becomes the next version; deployments keep theirs. A published strategy takes none: two people retire it first. Publishing and retiring are proposals.',
    form: 'multipart',
    params: idParams,
    body: changeBody,
    status: 200,
    answer: strategyDraft,
    refusals: ['draft_limit', 'forbidden', 'not_found', 'in_use', 'definition_invalid', 'image_invalid'],
  }),
  removeStrategy: endpoint(ROUTES.removeStrategy, {
    ...room,
    summary: 'Delete a draft; retire a published strategy instead',
    description: 'Deletes a draft that was never published or deployed.',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'in_use'],
  }),
  getStrategyThumbnail: endpoint(ROUTES.getStrategyThumbnail, {
    room: 'strategies',
    security: 'open',
    summary: 'The picture of a strategy, by hash',
    description:
      'A WebP picture of 640 by 360 pixels. A new picture has a new address, so it can be cached for a year.',
    params: idParams.extend({
      hash: z.string().max(100).describe('The hash in the picture’s address.'),
    }),
    status: 200,
    answer: z.string(),
    media: 'image/webp',
    refusals: ['not_found'],
  }),
} as const;
