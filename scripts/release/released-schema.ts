// What a release fixes of the schema: the checksum of each change that it has, and the version of the job queue's own tables. A test
// compares it with the sources, and `npm run release` writes it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SCHEMA_CHANGES, type SchemaChange } from '../../src/records/schema/migrations.ts';

export type ReleasedSchema = {
  /** Each released change with the first release that had it. */
  readonly changes: { readonly [name: string]: { readonly sha256: string; readonly since: string } };
  /** Of pg-boss's tables, by the newest release. */
  readonly jobs: number;
};

const FILE = 'src/records/schema/released.json';

export function readReleased(root: string): ReleasedSchema {
  return JSON.parse(readFileSync(path.join(root, FILE), 'utf8')) as ReleasedSchema;
}

/** Of all that it runs. */
export function checksumOf({ files }: SchemaChange): string {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(readFileSync(path.join(SCHEMA, file), 'utf8').replaceAll('\r\n', '\n'));
  return hash.digest('hex');
}

const SCHEMA = path.resolve(import.meta.dirname, '../../src/records/schema');

/** Of the package that is installed. */
export function jobsVersion(): number {
  const manifest = readFileSync(
    path.resolve(import.meta.dirname, '../../node_modules/pg-boss/package.json'),
    'utf8',
  );
  return (JSON.parse(manifest) as { pgboss: { schema: number } }).pgboss.schema;
}

/** Adds what is not released yet under this version. Released changes stay as they were written down. */
export function sealSchema(root: string, version: string): void {
  const { changes } = readReleased(root);
  const added = SCHEMA_CHANGES.filter(({ name }) => changes[name] === undefined).map(
    (change) => [change.name, { sha256: checksumOf(change), since: version }] as const,
  );
  const sealed: ReleasedSchema = {
    changes: { ...changes, ...Object.fromEntries(added) },
    jobs: jobsVersion(),
  };
  writeFileSync(path.join(root, FILE), `${JSON.stringify(sealed, null, 2)}\n`);
}
