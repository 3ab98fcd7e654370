import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
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
    created_at: z.string(),
    /** The open one to publish or retire it. */
    proposal: proposal.nullable(),
  })
  .meta({ id: 'CatalogueEntry' });

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
} as const;
