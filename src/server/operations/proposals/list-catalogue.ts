import type { CatalogueEntry } from '#contract/operations/catalogue.ts';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { listStandingProposals } from '#records/operations/proposals.ts';
import { listCatalogueRows } from '#records/strategy-builder/strategy-drafts.ts';
import type { Call } from '../../http/call.ts';
import { staffOf } from '../../http/act-as-staff.ts';
import { showProposal } from './show-proposal.ts';

export const listCatalogue: Call<typeof operationsEndpoints.listCatalogue> = async (
  { request },
  { records: { database } },
) => {
  const staff = staffOf(request);
  const [rows, standing] = await Promise.all([listCatalogueRows(database), listStandingProposals(database)]);
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
      created_at: row.createdAt.toISOString(),
      proposal: proposal === undefined ? null : showProposal(proposal, staff),
    };
  });
  return entries.toSorted((left, right) => Number(left.proposal === null) - Number(right.proposal === null));
};
