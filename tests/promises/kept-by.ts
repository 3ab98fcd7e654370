// What can keep a promise.

export type Keeper =
  /** The file of a test and the start of its name. */
  | { readonly test: string; readonly named: string }
  /** People keep it: who, and how. */
  | { readonly people: string }
  /** Nothing to keep: it informs, or binds the client, or says what the law says. */
  | { readonly informs: true };

export type Promised = {
  /** Words of the sentences, `…` for what is filled in. Each is found in at least one. */
  readonly says: readonly string[];
  readonly keptBy: Keeper;
};

export const test = (file: string, named: string): Keeper => ({ test: file, named });
export const people = (who: string): Keeper => ({ people: who });
export const informs: Keeper = { informs: true };
