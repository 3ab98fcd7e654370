// What we need of a service that brings news to a person outside of the product, in our words: take one item for an address, and say
// what came of it. Promises to tell an address that is gone for good from one that takes nothing now.
export interface NewsChannel {
  send(news: NewsItem): Promise<NewsOutcome>;
}

export type NewsItem = {
  /** Of the channel's own form, as JSON. */
  readonly address: string;
  /** The same at each attempt. */
  readonly id: string;
  readonly title: string;
  readonly message: string;
  /** Where to read more: a path of ours. */
  readonly path: string;
};

export type NewsOutcome =
  | { readonly outcome: 'taken' }
  /** For good: nothing more is sent there. */
  | { readonly outcome: 'gone' }
  /** `afterSeconds`: as the service says; null where it does not. */
  | {
      readonly outcome: 'later';
      readonly code: 'busy' | 'unreachable' | 'late' | 'unwell';
      readonly afterSeconds: number | null;
    }
  /** Another try gives the same answer. */
  | { readonly outcome: 'refused'; readonly status: number };

/** What people say to our bot. */
export interface ChatInbox {
  /** Waits a while for something newer than `after`. Null: the service did not answer, or somebody else listens. */
  listen(after: number | null, signal: AbortSignal): Promise<readonly ChatWord[] | null>;
}

export type ChatWord = {
  readonly number: number;
  /** The address to answer to; null for what is not a chat with one person. */
  readonly address: string | null;
  /** As the person calls themselves there. */
  readonly from: string;
  readonly text: string;
};
