// What `npm run keys` does: shows and rotates the keys of the product, beside it while it runs.
import type { KeyManagement } from '#ports/key-management.ts';
import { KEY_KINDS } from '#records/keys/key-kind.ts';
import { openKeyring } from '#records/keys/keyring.ts';
import { type KeyRow, listKeys } from '#records/keys/keyring-rows.ts';
import { beginRotation, removeSpentKeys, rewrapSecrets, rotateRoot } from '#records/keys/rotate-keys.ts';
import type { Database } from '#records/postgres/database.ts';
import { type KeyCheck, listKeyChecks } from '#records/operations/key-checks.ts';
import { rotateSigning, type SigningKeyName } from './rotate-signing.ts';
import { MINUTE_MS } from '#units/instant.ts';

export type KeysCommand =
  | 'list'
  | 'rotate'
  | 'rotate-root'
  | 'rotate-signing'
  | 'rotate-signing seal'
  | 'rotate-signing anchor'
  | 'finish';

export const KEYS_USAGE = `npm run keys -- list
    the keys of the database by id, the root key that wraps each, and until when a replaced one counts
npm run keys -- rotate
    makes new keys while the product runs, wraps every secret anew and removes the old keys; run it again after a crash, and it goes on
npm run keys -- finish
    removes replaced keys whose time is over; begins nothing
npm run keys -- rotate-root
    puts another root key in front of KEK_FILE, or another version at Vault, and wraps the keys anew. Afterwards copy KEK_FILE to every machine
npm run keys -- rotate-signing [seal|anchor]
    makes a new key that seals agreements, and one that signs anchors of the audit log, or the one that is named. What the former ones signed
    still counts. Afterwards copy DATA_DIR/keys to every machine, also where the root key is at Vault: these keys lie in files`;

export function parseKeysCommand(words: readonly string[]): KeysCommand | null {
  return COMMANDS.find((one) => one === words.join(' ')) ?? null;
}

const COMMANDS: readonly KeysCommand[] = [
  'list',
  'rotate',
  'rotate-root',
  'rotate-signing',
  'rotate-signing seal',
  'rotate-signing anchor',
  'finish',
];

type Tools = {
  /** Of this world. */
  readonly database: Database;
  /** Of the other worlds on the same server, whose keys the same root key may wrap. */
  readonly otherWorlds: readonly Database[];
  readonly management: KeyManagement;
  readonly dataDir: string;
  readonly say: (line: string) => void;
  readonly wait: (ms: number) => Promise<void>;
};

export async function runKeysCommand(command: KeysCommand, tools: Tools): Promise<void> {
  const { database, otherWorlds, management, say } = tools;
  if (command === 'list') {
    for (const row of await listKeys(database)) say(lineOf(row));
    for (const check of await listKeyChecks(database)) say(signingLineOf(check));
    return;
  }
  if (command.startsWith('rotate-signing')) {
    const named = command.split(' ')[1] as SigningKeyName | undefined;
    for (const which of named === undefined ? SIGNING : [named]) await rotateSigning(which, tools);
    return;
  }
  if (command === 'rotate-root') {
    await rotateRoot({ database, otherWorlds, management });
    const [newest] = await listKeys(database);
    return say(
      `The root key is ${newest?.wrappedBy} from now on. Every key of this database is wrapped by it.`,
    );
  }
  const keys = await openKeyring({ database, management });
  if (command === 'rotate') {
    const begun = await beginRotation({ database, management, keys });
    say(begun === 'begun' ? 'New keys count from now on.' : 'The last rotation has not ended: it goes on.');
  }
  say(`${await rewrapSecrets({ database, keys })} secrets are wrapped anew.`);
  let remaining = await removeSpentKeys({ database, keys });
  if (remaining.some(({ kind }) => kind === 'sealing')) {
    say('Waiting two minutes until every process seals with the new key.');
    await tools.wait(KEY_KINDS.sealing.overlapMs);
    await rewrapSecrets({ database, keys });
    remaining = await removeSpentKeys({ database, keys });
  }
  for (const row of remaining) say(lineOf(row));
  if (remaining.some(({ kind }) => kind === 'sealing'))
    throw new Error('something is still sealed with the former sealing key: run it again');
}

const SIGNING: readonly SigningKeyName[] = ['seal', 'anchor'];

function signingLineOf({ name, check, notedAt, replacedAt }: KeyCheck): string {
  const since = `${name} ${check.slice(0, 16)}, since ${timeOf(notedAt)}`;
  return replacedAt === null
    ? since
    : `${since}; replaced ${timeOf(replacedAt)}, and counts for what it signed until then`;
}

/** One key a line: its id, never its bytes. */
function lineOf({ id, kind, wrappedBy, madeAt, replacedAt }: KeyRow): string {
  const made = `${kind} ${id}, wrapped by ${wrappedBy}, made ${timeOf(madeAt)}`;
  if (replacedAt === null) return made;
  if (kind === 'backup_code') return `${made}; replaced, and needed by backup codes that were made with it`;
  const until = new Date(replacedAt.getTime() + KEY_KINDS[kind].overlapMs + MINUTE_MS);
  return `${made}; replaced, and counts until ${timeOf(until)}: \`npm run keys -- finish\` removes it then`;
}

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
