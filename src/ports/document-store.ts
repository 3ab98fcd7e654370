/**
 * Keeps documents under names, outside of the database. A name is written once: what it holds never changes.
 * Every call throws DocumentsUnavailable when the store does not answer or refuses; trying again may help.
 */
export type DocumentStore = {
  /** Durable when it resolves. Writing the same document again changes nothing. */
  put(name: string, document: Uint8Array): Promise<void>;
  /** Null when there is none. */
  get(name: string): Promise<Uint8Array | null>;
  /** There is none afterwards, whether there was one or not. */
  remove(name: string): Promise<void>;
  /** Names that begin with it: a thousand at most, and none only when there is none. */
  list(prefix: string): Promise<readonly string[]>;
};

export class DocumentsUnavailable extends Error {
  /** `said`: by the store, or by the network. */
  constructor(said: string, options?: ErrorOptions) {
    super(`the document store: ${said}`, options);
    this.name = 'DocumentsUnavailable';
  }
}
