// What we need of whoever keeps the root key, in our words: wrap one of our keys, and unwrap it again.
// Promises that a wrapped key opens only under the name it was wrapped for, and to tell why it did not open.

export interface KeyManagement {
  /** The newest root key wraps. The first call may make it. */
  wrap(key: Uint8Array, name: string): Promise<KeyAnswer<WrappedKey>>;
  unwrap(wrapped: WrappedKey, name: string): Promise<KeyAnswer<Uint8Array>>;
  /** From now on another root key wraps; what the ones before it wrapped still opens, until they are retired. */
  rotate(): Promise<KeyAnswer<null>>;
  /** Nothing is wrapped by older root keys any more. */
  retire(): Promise<KeyAnswer<null>>;
}

export type WrappedKey = {
  /** Of the root key that wrapped it. */
  readonly by: string;
  readonly bytes: Uint8Array;
};

export type KeyAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | ({ readonly ok: false } & KeyFailure);

/**
 * missing: there is no root key; empty, misshapen, not_random: its file is spoilt. foreign: the root key that wrapped it is not
 * among them. spoilt: it does not open with that one. refused, unreachable: by the service.
 */
export type KeyFailure = {
  readonly code:
    | 'missing'
    | 'empty'
    | 'misshapen'
    | 'not_random'
    | 'foreign'
    | 'spoilt'
    | 'refused'
    | 'unreachable';
  /** The setting to look at, and the file or address that it names. */
  readonly setting: string;
  readonly place: string;
  /** The ids of the keys that are there, or a quote of the service. */
  readonly said: string;
};
