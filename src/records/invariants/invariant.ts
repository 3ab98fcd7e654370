import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** One thing that must always hold, and how to find what breaks it. */
export type Invariant = {
  /** I1 to I23: invariants of trading and of what users see of it. E1: of the data from which results are computed. */
  readonly id: `I${number}` | 'E1';
  /** As a sentence. */
  readonly says: string;
  /** The violating rows; empty when it holds. */
  find(database: Kysely<Tables>): Promise<readonly Violation[]>;
};

export type Violation = { readonly [column: string]: unknown };
