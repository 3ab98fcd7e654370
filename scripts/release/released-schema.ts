// What a release fixes: the checksum of each change of the schema, the version of the job queue's own tables, and what its engine gives
// for the golden runs. Tests compare it with the sources, and `npm run release` writes it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ENGINE_VERSION } from '../../src/engine/evidence/engine-version.ts';
import { SCHEMA_CHANGES, type SchemaChange } from '../../src/records/schema/migrations.ts';

export type ReleasedSchema = {
  /** Each released change with the first release that had it. */
  readonly changes: { readonly [name: string]: { readonly sha256: string; readonly since: string } };
  /** Of pg-boss's tables, by the newest release. */
  readonly jobs: number;
  /** Version of the engine → golden run → hash of its result. */
  readonly engines: { readonly [version: string]: { readonly [run: string]: string } };
};

const FILE = 'src/records/schema/released.json';

export function readReleased(root: string): ReleasedSchema {
  return JSON.parse(readFileSync(path.join(root, FILE), 'utf8')) as ReleasedSchema;
}

function goldenResults(): { readonly [run: string]: string } {
  const file = path.resolve(import.meta.dirname, '../../tests/golden/hashes.json');
  const runs = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, { result: string }>>)[
    ENGINE_VERSION
  ];
  if (runs === undefined) throw new Error(`nothing is recorded of ${ENGINE_VERSION}: run npm run golden`);
  return Object.fromEntries(Object.entries(runs).map(([name, { result }]) => [name, result]));
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
  const { changes, engines } = readReleased(root);
  const added = SCHEMA_CHANGES.filter(({ name }) => changes[name] === undefined).map(
    (change) => [change.name, { sha256: checksumOf(change), since: version }] as const,
  );
  const sealed: ReleasedSchema = {
    changes: { ...changes, ...Object.fromEntries(added) },
    jobs: jobsVersion(),
    engines: { ...engines, [ENGINE_VERSION]: goldenResults() },
  };
  writeFileSync(path.join(root, FILE), `${JSON.stringify(sealed, null, 2)}\n`);
}
