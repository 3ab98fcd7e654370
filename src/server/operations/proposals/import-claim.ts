import { createHash, randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { endClaim, importClaim as insertClaim } from '#records/strategies/claimed-records.ts';
import { lockDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { readClaimFile } from '#rules/strategies/claim-file.ts';
import { utcDate } from '#units/instant.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import type { Call } from '../../http/call.ts';
import { isRefused, notFound, refuse, type Refused } from '../../http/refusal.ts';
import { showCatalogueStrategy } from './get-catalogue-strategy.ts';

/** One person alone: nothing of ours is made from it, and everybody sees that it is a claim. */
export const importClaim: Call<typeof operationsEndpoints.importClaim> = async (
  { params, body, request },
  dependencies,
) => {
  const staff = staffOf(request);
  const { database } = dependencies.records;
  const shown = await showCatalogueStrategy(database, params.id, staff);
  if (isRefused(shown)) return shown;
  const marketAt = (await findHeartbeat(database, 'trader'))?.marketAt;
  const now = dependencies.now();
  // The market of the demonstration may be ahead of us.
  const read = readClaimFile(body.file, utcDate(marketAt && marketAt > now ? marketAt : now));
  if (!read.ok) return refuse('invalid_field', read.problem, { field: 'file' });
  const { kind, ...growth } = read.file;
  const refused = await transactAs(staff, dependencies, async (trx): Promise<Refused | null> => {
    const strategy = await lockDraft(trx, params.id);
    if (strategy === undefined) return notFound();
    if (strategy.status !== 'published' || strategy.ownerId !== null)
      return refuse('illegal_move', 'A track record is imported for a published strategy.');
    await insertClaim(trx, {
      id: randomUUID(),
      strategyId: strategy.id,
      versionId: strategy.versionId,
      source: body.source,
      kind,
      fileHash: createHash('sha256').update(body.file).digest('hex'),
      growth,
      by: staff.id,
    });
    return null;
  });
  return refused ?? showCatalogueStrategy(database, params.id, staff);
};

export const withdrawClaim: Call<typeof operationsEndpoints.withdrawClaim> = async (
  { params, request },
  dependencies,
) => {
  const staff = staffOf(request);
  const { database } = dependencies.records;
  const shown = await showCatalogueStrategy(database, params.id, staff);
  if (isRefused(shown)) return shown;
  const refused = await transactAs(staff, dependencies, async (trx): Promise<Refused | null> => {
    const strategy = await lockDraft(trx, params.id);
    if (strategy === undefined) return notFound();
    return (await endClaim(trx, strategy.id, 'withdrawn'))
      ? null
      : refuse('already_decided', 'This strategy has no claimed track record.');
  });
  return refused ?? showCatalogueStrategy(database, params.id, staff);
};
