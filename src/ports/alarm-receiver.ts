// What we need of the operator's alarm system, in our words: take one alarm, and say whether it did.
// Promises to tell an alarm that may be sent again from one that the receiver will never take.
export interface AlarmReceiver {
  send(alarm: SentAlarm): Promise<AlarmOutcome>;
}

export type SentAlarm = {
  /** The same for each attempt: a receiver takes each alarm once. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
};

export type AlarmOutcome =
  | { readonly outcome: 'taken' }
  /** Not taken, or not known: another try later can succeed. */
  | { readonly outcome: 'failed'; readonly reason: string };
