// The keys that seal agreements and sign anchors: whether the files are those that the database was written with. Nothing is made.
import { existsSync } from 'node:fs';
import { listKeyChecks } from '#records/operations/key-checks.ts';
import type { Database } from '#records/postgres/database.ts';
import { type SigningKey, signingKeys } from '../environment/known-keys.ts';
import { formerFileOf, nextFileOf, readFormerKeys } from '../keys/signing-key-files.ts';
import { type Finding, fit, unfit } from './finding.ts';

export async function checkSigningKeys(database: Database, dataDir: string): Promise<readonly Finding[]> {
  const { seal, anchor } = signingKeys({ dataDir });
  const checks = await listKeyChecks(database);
  const findings: Finding[] = [];
  for (const signing of [seal, anchor] as readonly SigningKey<unknown>[]) {
    const [newest, ...replaced] = checks.filter(({ name }) => name === signing.name);
    // Made at the first start; none where agreements are signed elsewhere.
    if (newest !== undefined)
      findings.push(
        await checkSigningKey(signing, {
          newest: newest.check,
          replaced: replaced.map(({ check }) => check),
        }),
      );
  }
  return findings;
}

async function checkSigningKey<Key>(
  { name, file, read, checkOf }: SigningKey<Key>,
  { newest, replaced }: { readonly newest: string; readonly replaced: readonly string[] },
): Promise<Finding> {
  const id = newest.slice(0, 16);
  try {
    const held = existsSync(file) ? checkOf(await read(file)) : null;
    const next = existsSync(nextFileOf(file)) ? checkOf(await read(nextFileOf(file))) : null;
    if (held !== newest && next !== newest)
      return unfit(
        name,
        `the database has ${id}, and ${file} ${held === null ? 'is missing' : `holds ${held.slice(0, 16)}`}: copy it from the machine that has it`,
      );
    const former = new Set(readFormerKeys(file).map((one) => one.id));
    const missing = replaced.find((check) => !former.has(check));
    if (missing !== undefined)
      return unfit(
        name,
        `what ${missing.slice(0, 16)} signed cannot be checked: copy ${formerFileOf(file)} from the machine where the key was replaced`,
      );
    return fit(name, `${id}${held === newest ? '' : ', which the next start takes from its new file'}`);
  } catch (error) {
    return unfit(name, error instanceof Error ? error.message : String(error));
  }
}
