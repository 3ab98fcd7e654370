// Holds every agreement that our own page sealed against the certificates of this installation: each seals while it counts, and what
// came later is none of its.
import { verifySeal, type SealFault } from '#adapters/signing/embedded/verify-seal.ts';
import type { AgreementDocuments } from '#records/agreements/agreement-documents.ts';
import { listSealedAgreements } from '#records/agreements/agreements.ts';
import type { Database } from '#records/postgres/database.ts';
import { existsSync } from 'node:fs';
import { signingKeys } from '../environment/known-keys.ts';
import { readFormerKeys } from './signing-key-files.ts';

export async function verifySeals({
  database,
  documents,
  dataDir,
}: {
  readonly database: Database;
  readonly documents?: AgreementDocuments;
  readonly dataDir: string;
}): Promise<{ readonly holds: boolean; readonly lines: readonly string[] }> {
  const { seal } = signingKeys({ dataDir });
  const former = readFormerKeys(seal.file);
  const current = existsSync(seal.file) ? seal.checkOf(await seal.read(seal.file)) : null;
  const faults: string[] = [];
  let held = 0;
  for await (const { id, signedAt, document } of listSealedAgreements(database, documents)) {
    const trusted = [...(current === null ? [] : [current]), ...former.map((one) => one.id)];
    const check = verifySeal(document, trusted);
    const replaced =
      check.intact && check.fingerprint !== current && former.find((one) => one.id === check.fingerprint);
    if (!check.intact) faults.push(`Agreement ${id}: ${FAULTS[check.reason]}.`);
    else if (replaced && signedAt.getTime() > Date.parse(replaced.until) + OVERLAP_MS)
      faults.push(
        `Agreement ${id}: it is of ${timeOf(signedAt)}, and its certificate ${replaced.id.slice(0, 16)} was replaced at ${timeOf(new Date(replaced.until))}.`,
      );
    else held += 1;
  }
  if (faults.length > 0) return { holds: false, lines: faults };
  return { holds: true, lines: [`${held} sealed agreements are as they were signed.`] };
}

/** A signature that had begun; clocks of machines. */
const OVERLAP_MS = 2 * 60_000;

const FAULTS: Readonly<Record<SealFault, string>> = {
  'no-seal': 'it has no seal',
  'several-seals': 'it has more than one seal',
  'not-whole-file': 'its seal does not cover the whole file',
  'malformed-signature': 'its seal cannot be read',
  'digest-differs': 'it was changed after it was sealed',
  'signature-invalid': 'its seal is not valid',
  'unknown-certificate':
    'its certificate is none of this installation: put DATA_DIR/keys/agreement-seal.former.json back from a copy',
};

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
