import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { listStrategyProposals } from '#records/operations/proposals.ts';
import { listDeskVersions, listNextVersions, readDeskFigures } from '#records/strategies/desk.ts';
import {
  type CatalogueRow,
  findDraft,
  listCatalogueRows,
} from '#records/strategy-builder/strategy-drafts.ts';
import { fromMicro } from '#units/money.ts';
import type { CatalogueStrategy } from '#contract/operations/catalogue.ts';
import type { Database } from '#records/postgres/database.ts';
import { readCapacityUse } from '#records/strategies/capacity.ts';
import { findAcceptance } from '#records/results/attacks.ts';
import { findMeasuredStrategy } from '#records/strategies/strategies.ts';
import type { Call, Staff } from '../../http/call.ts';
import { staffOf } from '../../http/act-as-staff.ts';
import { notFound, type Refused } from '../../http/refusal.ts';
import { showAttack } from '../../answers/show-attack.ts';
import { showCapacity } from '../../answers/show-capacity.ts';
import { claimsOf } from '../../answers/claims-of.ts';
import { resultSeries } from '../../answers/result-series.ts';
import { readPublicationChecks } from './publication-checks.ts';
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
    checks: row.status === 'draft' ? await showChecks(database, row, staff) : null,
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

async function showChecks(
  database: Database,
  { id, replaces }: CatalogueRow,
  staff: Staff,
): Promise<CatalogueStrategy['checks']> {
  const draft = await findDraft(database, id);
  if (draft === undefined) return null;
  const { note, attack, accepted } = await readPublicationChecks(database, draft);
  const target = replaces === null ? undefined : await findDraft(database, replaces.id);
  const own = attack && (await findAcceptance(database, { attackId: attack.id, userId: staff.id }));
  return {
    note,
    attack: attack && showAttack(attack, own),
    accepted: accepted && { name: accepted.name, at: accepted.at.toISOString() },
    published: target === undefined ? null : { number: target.versionNumber, definition: target.definition },
  };
}
