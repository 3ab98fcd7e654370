// What a stand-in answers instead of success, taken in order, one a request; when none is left it is well.
export type Fault = {
  readonly status: number;
  readonly retryAfterSeconds?: number;
  /** Waits before it answers. */
  readonly afterMs?: number;
  /** Takes the request, and lets the connection go instead of an answer. */
  readonly drops?: true;
};

export type Received = {
  readonly title: string;
  readonly message: string;
  readonly id: string | null;
  /** Real time. */
  readonly at: number;
};
