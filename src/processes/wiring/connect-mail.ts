import { sandboxMailbox } from '#adapters/mail/sandbox-mailbox/sandbox-mailbox.ts';
import { smtp } from '#adapters/mail/smtp/smtp.ts';
import type { MailPort } from '#ports/mail.ts';
import { createMailbox } from '#records/notifications/sandbox-mailbox.ts';
import type { Database } from '#records/postgres/database.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { Environment } from '../environment/environment.ts';
import { isLoopback } from '../environment/loopback.ts';

type ConnectedMail = {
  readonly mail: MailPort;
  /** What was sent can be read in it; null where there is a mail server. */
  readonly mailbox: ReturnType<typeof createMailbox> | null;
};

export function connectMail(
  { mailUrl, mailFrom, provider }: Pick<Environment, 'mailUrl' | 'mailFrom' | 'provider'>,
  database: Database,
): ConnectedMail {
  if (mailUrl === null) {
    const mailbox = createMailbox(database);
    return { mail: sandboxMailbox(mailbox), mailbox };
  }
  const from = mailFrom ?? `${PRODUCT_NAME} <${provider.contactEmail}>`;
  return { mail: smtp({ ...mailServer(mailUrl), from }), mailbox: null };
}

/** Only to this machine a mail may travel unencrypted. */
export function mailServer(url: string): { readonly url: string; readonly requiresTls: boolean } {
  return { url, requiresTls: !isLoopback(new URL(url).hostname) };
}
