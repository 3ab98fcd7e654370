// What we need to post to an address that a client chose, in our words.
// Promises to reach only public addresses by https, to follow no redirect, and to say what came of it.
export interface WebhookSender {
  send(post: WebhookPost): Promise<WebhookOutcome>;
}

export type WebhookPost = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

export type WebhookOutcome =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      /** As the receiver asks us to wait; null where it does not. */
      readonly retryAfterSeconds: number | null;
    }
  | { readonly outcome: 'failed'; readonly code: 'forbidden_address' | 'unreachable' | 'late' };
