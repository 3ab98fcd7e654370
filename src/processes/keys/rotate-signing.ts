// Replaces the key that seals agreements or the one that signs anchors. What was signed before keeps its key, whose public half stays
// in the data folder. A crash at any line leaves a start that goes on: before the database has the new key nothing has
// changed, and after it every start takes the next file.
import { existsSync } from 'node:fs';
import { findNewestAnchorRow, lockAnchors } from '#records/operations/audit-anchors.ts';
import { replaceKeyCheck } from '#records/operations/key-checks.ts';
import type { Database } from '#records/postgres/database.ts';
import { openKnown, type SigningKey, signingKeys } from '../environment/known-keys.ts';
import { nextFileOf, noteFormerKey, takeNextKey } from './signing-key-files.ts';

export type SigningKeyName = 'seal' | 'anchor';

type Rotating = {
  readonly database: Database;
  readonly dataDir: string;
  readonly say: (line: string) => void;
};

export async function rotateSigning(which: SigningKeyName, rotating: Rotating): Promise<void> {
  const keys = signingKeys(rotating);
  if (which === 'seal') await rotate(keys.seal, rotating, false);
  else await rotate(keys.anchor, rotating, true);
}

async function rotate<Key>(
  signing: SigningKey<Key>,
  { database, say }: Rotating,
  signsAnchors: boolean,
): Promise<void> {
  const { name, file, open, read, checkOf, publicPartOf } = signing;
  if (!existsSync(file) && !existsSync(nextFileOf(file)))
    throw new Error(
      `There is no ${name} at ${file}. It is made at the first start; where agreements are signed at DocuSign there is no seal of ours`,
    );
  const current = await openKnown(database, signing);
  const [from, next] = [checkOf(current), nextFileOf(file)];
  // One that an earlier run left has signed nothing yet.
  await open(next);
  const to = checkOf(await read(next));
  await database.transaction().execute(async (trx) => {
    // Whoever makes an anchor holds it: none is made between the last of the former key and the new one.
    if (signsAnchors) await lockAnchors(trx);
    if (!(await replaceKeyCheck(trx, { name, from, to })))
      throw new Error(
        `The ${name} ${from.slice(0, 16)} was replaced meanwhile: look with npm run keys -- list`,
      );
    noteFormerKey(file, {
      id: from,
      publicPart: publicPartOf(current),
      until: new Date().toISOString(),
      last: signsAnchors ? ((await findNewestAnchorRow(trx))?.number ?? 0) : null,
    });
  });
  takeNextKey(file);
  say(
    `The ${name} is ${to.slice(0, 16)} from now on. ${from.slice(0, 16)} counts for what it signed before. Copy ${file} and its .former.json to every machine now: until then a machine with the former key signs nothing.`,
  );
}
