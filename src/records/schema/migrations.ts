// The changes that made the schema, in order. The first is the SQL files of this folder; each later one is a file of `changes`. What
// was released never changes again: `released.json` has its checksums. See docs/operators/upgrades.md.
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The files of the first change; each may refer to earlier ones. */
const ROOMS = [
  'guards',
  'keys',
  'people',
  'brokerage',
  'practice',
  'catalogue',
  'results',
  'claims',
  'deciders',
  'builder',
  'trading',
  'expectation',
  'suitability',
  'ledger',
  'flows',
  'capacity',
  'cash',
  'fees',
  'billing',
  'incidents',
  'notifications',
  'news',
  'api-keys',
  'webhooks',
  'operations',
  'recovery',
  'audit',
  'rows',
].map((room) => `${room}.sql`);

export type SchemaChange = {
  readonly name: string;
  readonly files: readonly string[];
  /** The oldest change that a version must know to run on a database that has this one. */
  readonly runsWith: string;
  /** What it takes away or tightens, in the words of the test that refuses it, and the release whose code did without. */
  readonly contracts?: readonly Contract[];
  /** Triggers, in the words of the same test, which cannot judge what runs with a statement: each was read to refuse nothing. */
  readonly harmlessTriggers?: readonly string[];
};

export type Contract = { readonly change: string; readonly unusedSince: string };

const FIRST = '0001-schema';

export const SCHEMA_CHANGES: readonly SchemaChange[] = [
  { name: FIRST, files: ROOMS, runsWith: FIRST },
  { name: '0002-upgrades', files: ['changes/0002-upgrades.sql'], runsWith: FIRST },
  { name: '0003-rows-of-a-connection', files: ['changes/0003-rows-of-a-connection.sql'], runsWith: FIRST },
  { name: '0004-orders-of-an-account', files: ['changes/0004-orders-of-an-account.sql'], runsWith: FIRST },
  {
    name: '0005-document-store',
    files: ['changes/0005-document-store.sql'],
    runsWith: FIRST,
    harmlessTriggers: ['trigger agreements documents_of_erased is new'],
  },
  {
    name: '0006-counts-of-a-deployment',
    files: ['changes/0006-counts-of-a-deployment.sql'],
    runsWith: FIRST,
  },
];

export function migrationsOf(changes: readonly SchemaChange[]): Record<string, Migration> {
  return Object.fromEntries(changes.map((change) => [change.name, migrationOf(change)]));
}

function migrationOf({ name, files, runsWith }: SchemaChange): Migration {
  return {
    async up(database) {
      for (const file of files) await sql.raw(readSql(file)).execute(database);
      if (name !== FIRST)
        await sql`insert into schema_reach (migration, runs_with) values (${name}, ${runsWith})`.execute(
          database,
        );
    },
  };
}

function readSql(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
