// Published records as each version of the engine left them: the rows, and what was answered about them then.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Passport, PassportBars } from '#engine/evidence/passport.ts';

export type SealedRecord = {
  readonly engineVersion: string;
  /** Table → its rows as JSON. */
  readonly rows: { readonly [table: string]: readonly object[] };
  readonly passport: Passport & { readonly seal: string };
  readonly bars: PassportBars;
  /** Address below the strategy's → answer. */
  readonly answers: { readonly [address: string]: unknown };
};

const FOLDER = path.join(import.meta.dirname, 'sealed');

export function sealedFile(engineVersion: string): string {
  return path.join(FOLDER, `${engineVersion.replace('/', '-')}.json.gz`);
}

export function readSealed(): readonly SealedRecord[] {
  return readdirSync(FOLDER).map(
    (name) => JSON.parse(gunzipSync(readFileSync(path.join(FOLDER, name))).toString()) as SealedRecord,
  );
}

export function writeSealed(record: SealedRecord): void {
  writeFileSync(sealedFile(record.engineVersion), gzipSync(JSON.stringify(record), { level: 9 }));
}
