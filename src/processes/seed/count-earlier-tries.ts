// The trial ledger starts before the product does: backtests run while a strategy was being developed count as much as
// later trials.
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { searchKind } from '#engine/evidence/trial-family.ts';
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { sha256Hex } from '#engine/evidence/sha256.ts';
import type { Database } from '#records/postgres/database.ts';
import { addTrial, wasTried } from '#records/results/trials.ts';
import type { CommittedVersion } from '#results/renew-result.ts';
import type { EarlierTries } from './catalogue/listing.ts';

/** Counts each trial once, even when called repeatedly. */
export async function countEarlierTries(
  database: Database,
  { strategyId, versionId, committedAt, definition }: CommittedVersion,
  { periods, tries }: EarlierTries,
  instruments: ReadonlyMap<Symbol, Instrument>,
): Promise<void> {
  const dataHash = sha256Hex(canonicalJson({ universe: definition.universe, periods }));
  for (const { model, rules, sharpe } of tries) {
    const definitionHash = sha256Hex(canonicalJson({ model, rules }));
    const inputHash = sha256Hex(canonicalJson({ definitionHash, dataHash }));
    if (await wasTried(database, versionId, inputHash)) continue;
    await addTrial(database, {
      ...searchKind(definition, instruments),
      strategyId,
      versionId,
      definitionHash,
      inputHash,
      dataHash,
      purpose: 'search',
      by: { kind: 'provider' },
      at: committedAt,
      outcome: {
        kind: 'measured',
        sharpe: sharpe / Math.sqrt(definition.periodsPerYear),
        periods,
        weekly: null,
      },
    });
  }
}
