import { z } from 'zod';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { attack } from '../strategies/backtests.ts';
import { claim, importClaimRequest } from '../strategies/claim.ts';
import { capacity } from '../strategies/strategies.ts';
import { proposal } from './proposal.ts';

const catalogueEntry = z
  .object({
    id: z.string(),
    name: z.string(),
    short_description: z.string(),
    status: z.enum(['draft', 'published', 'retired']),
    /** Of its rules: the first is 1. */
    version: z.number(),
    /** Who of the provider's staff is writing it; null for the catalogue's own. */
    author: z.string().nullable(),
    /** Without one it has no figures, and is not published. */
    has_result: z.boolean(),
    /** How many deployments of it have not ended. */
    deployments: z.number(),
    /** Of a draft that is to become the next version of a published strategy: that strategy. */
    replaces: z.object({ id: z.string(), name: z.string() }).nullable(),
    created_at: z.string(),
    /** The open one to publish or retire it. */
    proposal: proposal.nullable(),
  })
  .meta({ id: 'CatalogueEntry' });

/** Dollars. */
const dollars = z.number();

const catalogueVersion = z
  .object({
    id: z.string(),
    number: z.number().int(),
    /** Trading clock. */
    committed_at: z.string(),
    definition: z.unknown(),
    definition_hash: z.string(),
    /** Those of real money that have not ended; they keep their version until their owner deploys another. */
    deployments: z.number().int(),
    clients: z.number().int(),
    equity: dollars,
  })
  .meta({ id: 'CatalogueVersion' });

const catalogueStrategy = z
  .object({
    id: z.string(),
    name: z.string(),
    short_description: z.string(),
    status: z.enum(['draft', 'published', 'retired']),
    has_result: z.boolean(),
    replaces: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** Of a draft: what two people look at before they publish it. */
    checks: z
      .object({
        /** Why it cannot be proposed yet, and the way out; null once it can. */
        note: z.string().nullable(),
        /** The newest on its newest version. */
        attack: attack.nullable(),
        /** Its author’s name under the verdict, which any but withstood needs. */
        accepted: z.object({ name: z.string(), at: z.string() }).nullable(),
        /** Of a next version: the published one that it differs from. */
        published: z.object({ number: z.number().int(), definition: z.unknown() }).nullable(),
      })
      .nullable(),
    /** Newest first. */
    versions: z.array(catalogueVersion),
    followers: z.object({
      /** People with real money in it. */
      clients: z.number().int(),
      deployments: z.number().int(),
      practice: z.number().int(),
      invested: dollars,
      equity: dollars,
    }),
    /** Null while it has no result. */
    capacity: capacity.nullable(),
    /** The track record that it claims; null for none. */
    claim: claim.nullable(),
    /** Performance fees of its deployments, since the first. */
    fees: z.object({ billed: dollars, credited: dollars, paid: dollars }),
    /** Drafts of the provider’s staff that are to become its next version. */
    next_versions: z.array(z.object({ id: z.string(), name: z.string(), author: z.string().nullable() })),
    /** Every proposal to publish or retire it, newest first. */
    proposals: z.array(proposal),
  })
  .meta({ id: 'CatalogueStrategy' });

export type CatalogueStrategy = z.infer<typeof catalogueStrategy>;
export type CatalogueVersion = z.infer<typeof catalogueVersion>;

const figureAudience = z
  .object({
    /** What a proposal to hide or show names. */
    key: z.string(),
    /** 'clients in the United States'. */
    name: z.string(),
    is_shown: z.boolean(),
    /** The open one about it. */
    proposal: proposal.nullable(),
  })
  .meta({ id: 'FigureAudience' });

const catalogue = z
  .object({
    strategies: z.array(catalogueEntry),
    /** Whom hypothetical figures are shown; an audience of a country counts before the one of all countries. */
    figure_audiences: z.array(figureAudience),
  })
  .meta({ id: 'Catalogue' });

export type FigureAudience = z.infer<typeof figureAudience>;
export type CatalogueEntry = z.infer<typeof catalogueEntry>;

export const catalogueEndpoints = {
  listCatalogue: endpoint(ROUTES.listCatalogue, {
    room: 'operations',
    summary: 'What can be published and retired, whom figures are shown, and what is proposed of both',
    description:
      'The strategies of the catalogue and the drafts of the provider’s staff, each with its open proposal; those with one first. For staff of the provider; anyone else gets 404.',
    security: 'bearer',
    status: 200,
    answer: catalogue,
    refusals: ['not_found'],
  }),
  getCatalogueStrategy: endpoint(ROUTES.getCatalogueStrategy, {
    room: 'operations',
    summary: 'One strategy as its provider sees it: versions, followers, fees and decisions',
    description: 'For staff of the provider; anyone else gets 404.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: catalogueStrategy,
    refusals: ['not_found'],
  }),
  setCapacityLimit: endpoint(ROUTES.setCapacityLimit, {
    room: 'operations',
    summary: 'Take less money into a strategy than it is estimated to take',
    description:
      'Null takes the limit away: then the estimate alone counts. Money that is in it stays. For staff of the provider; anyone else gets 404.',
    security: 'bearer',
    params: idParams,
    body: z
      .object({
        limit: z
          .number('Enter an amount in dollars')
          .min(1, 'Enter an amount above zero')
          .max(1_000_000_000, 'The amount is too high')
          .nullable(),
      })
      .meta({ id: 'CapacityLimitRequest' }),
    status: 200,
    answer: catalogueStrategy,
    refusals: ['not_found', 'out_of_range', 'illegal_move'],
  }),
  importClaim: endpoint(ROUTES.importClaim, {
    room: 'operations',
    summary: 'Import a track record of a published strategy: it is shown as claimed',
    description:
      'file is CSV with the columns date,value or date,return (percent). It is taken whole or not at all; the refusal names the line. It replaces the one before and is about the newest version. Nothing of ours is computed from it. For staff of the provider; anyone else gets 404.',
    security: 'bearer',
    params: idParams,
    body: importClaimRequest,
    status: 200,
    answer: catalogueStrategy,
    refusals: ['not_found', 'illegal_move'],
  }),
  withdrawClaim: endpoint(ROUTES.withdrawClaim, {
    room: 'operations',
    summary: 'Withdraw the claimed track record of a strategy',
    description: 'It is no longer shown. That there was one, and who withdrew it, stays on record.',
    security: 'bearer',
    params: idParams,
    status: 200,
    answer: catalogueStrategy,
    refusals: ['not_found', 'already_decided'],
  }),
  writeNextVersion: endpoint(ROUTES.writeNextVersion, {
    room: 'operations',
    summary: 'Begin the next version of a published strategy: a draft of your own with its rules',
    description:
      'Change and test the draft, then propose to publish it. Once a second person approves, its rules become the next version. New deployments trade by it; deployments that run keep theirs, and their owners are told.',
    security: 'bearer',
    params: idParams,
    status: 201,
    answer: z.object({ id: z.string() }).meta({ id: 'NextVersionDraft' }),
    refusals: ['not_found', 'illegal_move', 'draft_limit'],
  }),
} as const;
