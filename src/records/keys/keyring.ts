// The keys of the product. The database keeps each wrapped by a root key that it never sees; a process unwraps them when it starts,
// and follows rotations while it runs.
import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { KeyManagement } from '#ports/key-management.ts';
import { noRootKeyText, unopenedKeyText } from '#rules/operations/key-failure.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';
import { KEY_KIND_NAMES, KEY_KINDS, type KeyKind } from './key-kind.ts';
import { type KeyRow, listKeys, lockKeyring, putKey } from './keyring-rows.ts';

export type Key = { readonly id: string; readonly kind: KeyKind; readonly bytes: Uint8Array };

export type Keyring = {
  /** What is sealed, signed or hashed from now on is with this one. */
  newest(kind: KeyKind): Key;
  /** Newest first. */
  all(kind: KeyKind): readonly Key[];
  /** Looks once more in the database before it says null. */
  find(kind: KeyKind, id: string): Promise<Key | null>;
  reload(): Promise<void>;
  /** Reloads every few seconds until stopped. */
  follow(): () => void;
};

type Tools = { readonly database: Database; readonly management: KeyManagement };

/** Makes the first keys of an empty database. Throws an Error that names the setting, the key and the way out. */
export async function openKeyring(tools: Tools): Promise<Keyring> {
  const { database } = tools;
  const rows = await listKeys(database);
  if (KEY_KIND_NAMES.some((kind) => !rows.some((row) => row.kind === kind))) await makeFirstKeys(tools);
  const opened = new Map<string, Key>();
  let ofKind = await load(tools, opened);
  let reloading: Promise<void> | null = null;
  let lookedAt = 0;
  const reload = () => {
    reloading ??= load(tools, opened)
      .then((loaded) => void (ofKind = loaded))
      .finally(() => (reloading = null));
    return reloading;
  };
  return {
    newest: (kind) => ofKind[kind][0]!,
    all: (kind) => ofKind[kind],
    async find(kind, id) {
      const known = ofKind[kind].find((key) => key.id === id);
      if (known !== undefined) return known;
      // Whoever invents ids does not make us ask the database for each, nor hides a new key of what we sealed.
      if (KEY_KINDS[kind].comesWithRequests) {
        if (Date.now() - lookedAt < LOOKS_APART_MS && reloading === null) return null;
        lookedAt = Date.now();
      }
      await reload();
      return ofKind[kind].find((key) => key.id === id) ?? null;
    },
    reload,
    follow() {
      // A database that does not answer is noticed by whoever needs it; the keys at hand still work.
      const timer = setInterval(() => void reload().catch(() => undefined), FOLLOWS_EVERY_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/** Well within the time for which a replaced key still counts. */
const FOLLOWS_EVERY_MS = 15_000;
const LOOKS_APART_MS = 1_000;
const KEY_BYTES = 32;

type KeysOfKind = Readonly<Record<KeyKind, readonly Key[]>>;

/** Unwraps only what is not in `opened` yet: a service of keys is asked once for each key. */
async function load({ database, management }: Tools, opened: Map<string, Key>): Promise<KeysOfKind> {
  const ofKind = Object.fromEntries(KEY_KIND_NAMES.map((kind) => [kind, [] as Key[]])) as Record<
    KeyKind,
    Key[]
  >;
  for (const row of await listKeys(database)) {
    const key = opened.get(row.id) ?? (await unwrapKey(management, row));
    opened.set(row.id, key);
    ofKind[row.kind].push(key);
  }
  return ofKind;
}

export async function unwrapKey(management: KeyManagement, row: KeyRow): Promise<Key> {
  const { id, kind, wrapped, wrappedBy } = row;
  const answer = await management.unwrap({ by: wrappedBy, bytes: wrapped }, nameOf(row));
  if (!answer.ok) throw new Error(unopenedKeyText(answer, row));
  if (checkValueOf(answer.value) !== row.checkValue)
    throw new Error(
      `The key ${id} (${kind}) is not the one that this database was written with: restore its table keyring from a backup`,
    );
  return { id, kind, bytes: answer.value };
}

async function makeFirstKeys({ database, management }: Tools): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await lockKeyring(trx);
    const rows = await listKeys(trx);
    const missing = KEY_KIND_NAMES.filter((kind) => !rows.some((row) => row.kind === kind));
    // With the root key that the others are wrapped by, or none at all.
    for (const row of rows) await unwrapKey(management, row);
    for (const kind of missing) await addKey(trx, kind, management);
  });
}

/** In place of the newest of its kind. */
export async function addKey(trx: Kysely<Tables>, kind: KeyKind, management: KeyManagement): Promise<string> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = randomBytes(KEY_BYTES);
  const answer = await management.wrap(key, nameOf({ id, kind }));
  if (!answer.ok) throw new Error(noRootKeyText(answer));
  const { by, bytes } = answer.value;
  await putKey(trx, {
    id,
    kind,
    wrapped: Buffer.from(bytes),
    wrappedBy: by,
    checkValue: checkValueOf(key),
  });
  return id;
}

/** As in the header of a sealed secret. */
export const ID_BYTES = 8;

/** A wrapped key opens in its own row alone. */
export function nameOf({ id, kind }: Pick<KeyRow, 'id' | 'kind'>): string {
  return `keyring:${id}:${kind}`;
}

/** Says nothing about the key to whoever reads the database: 32 random bytes cannot be guessed. */
function checkValueOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('key check value').digest('hex').slice(0, 32);
}
