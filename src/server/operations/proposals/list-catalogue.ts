import type { CatalogueEntry, FigureAudience } from '#contract/operations/catalogue.ts';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { listStandingProposals } from '#records/operations/proposals.ts';
import { listCatalogueRows } from '#records/strategy-builder/strategy-drafts.ts';
import { listFigureSwitches } from '#records/suitability/figure-switches.ts';
import { ELIGIBLE_COUNTRIES } from '#rules/eligibility/countries.ts';
import {
  audienceKey,
  audienceName,
  decideFigures,
  VIEWER_STATUSES,
} from '#rules/eligibility/figures-audience.ts';
import { utcDate } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import { staffOf } from '../../http/act-as-staff.ts';
import { showProposal } from './show-proposal.ts';

export const listCatalogue: Call<typeof operationsEndpoints.listCatalogue> = async (
  { request },
  { records: { database }, now },
) => {
  const staff = staffOf(request);
  const [rows, standing, switches] = await Promise.all([
    listCatalogueRows(database),
    listStandingProposals(database),
    listFigureSwitches(database),
  ]);
  const open = standing.filter(({ action }) => action === 'publish' || action === 'retire');
  const entries = rows.map((row): CatalogueEntry => {
    const proposal = open.find(({ subject }) => subject === row.id);
    return {
      id: row.id,
      name: row.name,
      short_description: row.shortDescription,
      status: row.status,
      version: row.version,
      author: row.author,
      has_result: row.hasResult,
      deployments: row.deployments,
      replaces: row.replaces,
      created_at: row.createdAt.toISOString(),
      proposal: proposal === undefined ? null : showProposal(proposal, staff),
    };
  });
  const about = standing.filter(({ action }) => action === 'hide_figures' || action === 'show_figures');
  const audiences = AUDIENCES.map(({ status, country }): FigureAudience => {
    const key = audienceKey(status, country);
    const proposal = about.find(({ subject }) => subject === key);
    return {
      key,
      name: audienceName(status, country),
      is_shown: decideFigures({ status, country }, switches, utcDate(now())).isShown,
      proposal: proposal === undefined ? null : showProposal(proposal, staff),
    };
  });
  return {
    strategies: entries.toSorted(
      (left, right) => Number(left.proposal === null) - Number(right.proposal === null),
    ),
    figure_audiences: audiences,
  };
};

/** Nobody knows where a visitor lives. */
const AUDIENCES = VIEWER_STATUSES.flatMap((status) =>
  [null, ...(status === 'visitor' ? [] : ELIGIBLE_COUNTRIES)].map((country) => ({ status, country })),
);
