import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { listStrategyProposals } from '#records/operations/proposals.ts';
import { listDeskVersions, listNextVersions, readDeskFigures } from '#records/strategies/desk.ts';
import { listCatalogueRows } from '#records/strategy-builder/strategy-drafts.ts';
import { fromMicro } from '#units/money.ts';
import type { CatalogueStrategy } from '#contract/operations/catalogue.ts';
import type { Database } from '#records/postgres/database.ts';
import { readCapacityUse } from '#records/strategies/capacity.ts';
import { findMeasuredStrategy } from '#records/strategies/strategies.ts';
import type { Call, Staff } from '../../http/call.ts';
import { staffOf } from '../../http/act-as-staff.ts';
import { notFound, type Refused } from '../../http/refusal.ts';
import { showCapacity } from '../../answers/show-capacity.ts';
import { claimsOf } from '../../answers/claims-of.ts';
import { resultSeries } from '../../answers/result-series.ts';
import { showProposal } from './show-proposal.ts';

export const getCatalogueStrategy: Call<typeof operationsEndpoints.getCatalogueStrategy> = (
  { params, request },
  { records: { database } },
) => showCatalogueStrategy(database, params.id, staffOf(request));

export async function showCatalogueStrategy(
  database: Database,
  asked: string,
  staff: Staff,
): Promise<CatalogueStrategy | Refused> {
  const row = (await listCatalogueRows(database)).find(({ id }) => id === asked);
  if (row === undefined) return notFound();
  const [versions, figures, nextVersions, measured, use] = await Promise.all([
    listDeskVersions(database, row.id),
    readDeskFigures(database, row.id),
    listNextVersions(database, row.id),
    findMeasuredStrategy(database, row.id),
    readCapacityUse(database, [row.id]),
  ]);
  const proposals = await listStrategyProposals(database, {
    strategyId: row.id,
    drafts: nextVersions.map(({ id }) => id),
  });
  const claims =
    measured && (await claimsOf(database, [measured], await resultSeries(database, [measured.backtestId])));
  return {
    id: row.id,
    name: row.name,
    short_description: row.shortDescription,
    status: row.status,
    has_result: row.hasResult,
    replaces: row.replaces,
    versions: versions.map((version) => ({
      id: version.id,
      number: version.number,
      committed_at: version.committedAt.toISOString(),
      definition: version.definition,
      definition_hash: version.definitionHash,
      deployments: version.deployments,
      clients: version.clients,
      equity: fromMicro(version.equity),
    })),
    followers: {
      clients: figures.clients,
      deployments: figures.deployments,
      practice: figures.practice,
      invested: fromMicro(figures.invested),
      equity: fromMicro(figures.equity),
    },
    capacity: measured === undefined ? null : showCapacity(measured, use.get(row.id)!),
    claim: claims?.get(row.id) ?? null,
    fees: {
      billed: fromMicro(figures.billed),
      credited: fromMicro(figures.credited),
      paid: fromMicro(figures.paid),
    },
    next_versions: [...nextVersions],
    proposals: proposals.map((proposal) => showProposal(proposal, staff)),
  };
}
