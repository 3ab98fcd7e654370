// What the stand-in is asked, what it is told to do, and what it then says in either protocol.

/** What the stand-in does with one request. */
export type Turn =
  | { readonly does: 'answer'; readonly object: unknown }
  /** Text as it is: prose around JSON, something else than JSON. */
  | { readonly does: 'say'; readonly text: string }
  /** The text ends in the middle, and the service says that this is the end. */
  | { readonly does: 'cut'; readonly object: unknown }
  /** It says that the answer was too long. */
  | { readonly does: 'truncate'; readonly object: unknown }
  | { readonly does: 'refuse' }
  | { readonly does: 'fail'; readonly status: number; readonly retryAfterSeconds?: number }
  /** Begins, and does not go on until the other side has gone. */
  | { readonly does: 'stall'; readonly object: unknown }
  /** The connection breaks in the middle. */
  | { readonly does: 'drop'; readonly object: unknown }
  | { readonly does: 'endless' };

/** One request, of either protocol. */
export type Asked = {
  readonly instructions: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  /** As it came. */
  readonly body: unknown;
};

/** Pieces of the answer, and how it ends. */
export type Told = {
  readonly pieces: Iterable<string>;
  readonly ends: 'whole' | 'too_long' | 'refused';
  readonly tokensIn: number;
};
