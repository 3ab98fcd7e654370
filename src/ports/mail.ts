// What we need of a mail service, in our words: take one plain mail for one address, and say what became of it.
// Promises to tell "not accepted" from "not known": a mail of unknown fate is never sent a second time.
import type { Instant } from '#units/instant.ts';

export interface MailPort {
  send(mail: Mail): Promise<MailOutcome>;
}

export type Mail = {
  readonly to: string;
  readonly subject: string;
  /** Plain text, lines ended by \n. */
  readonly text: string;
};

export type MailOutcome =
  | { readonly outcome: 'sent' }
  /** Certainly not accepted. `mayPass`: another try later can succeed. */
  | { readonly outcome: 'refused'; readonly mayPass: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** There is no mail service, and nobody expects one. */
  | { readonly outcome: 'nowhere'; readonly reason: string };

/** The mailbox of the sandbox, in which every mail lands that would have left. */
export interface Mailbox {
  keep(mail: Mail): Promise<void>;
  /** Newest first. `to` null lists the mail of all recipients. */
  list(options: { readonly to: string | null; readonly limit: number }): Promise<readonly ReceivedMail[]>;
}

export type ReceivedMail = Mail & { readonly receivedAt: Instant };
