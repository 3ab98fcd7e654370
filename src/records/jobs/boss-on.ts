import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

const QUIET = { migrate: false, supervise: false, schedule: false } satisfies ConstructorOptions;

/** The queue library over our own connection or transaction. It sends and changes jobs without being started. */
export function bossOn(database: Kysely<Tables>, options: ConstructorOptions = {}): PgBoss {
  return new PgBoss({ ...QUIET, ...options, db: fromKysely(database) });
}
