import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** One thing that must always hold, and how to find what breaks it. */
export type Claim = {
  /** I1 to I5: trading. E1: what results are computed from. */
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'E1';
  /** As a sentence. */
  readonly says: string;
  /** The offending rows; none when it holds. */
  find(database: Kysely<Tables>): Promise<readonly Offence[]>;
};

export type Offence = { readonly [column: string]: unknown };
