import { smtp } from '#adapters/mail/smtp/smtp.ts';
import type { MailPort } from '#ports/mail.ts';
import { PRODUCT_NAME } from '#rules/provider.ts';
import type { Environment } from '../environment/environment.ts';
import { isLoopback } from '../environment/loopback.ts';

/** The mail server of MAIL_URL; where none is set, what the world has instead. */
export function connectMail(
  { mailUrl, mailFrom, provider }: Pick<Environment, 'mailUrl' | 'mailFrom' | 'provider'>,
  instead: () => MailPort,
): MailPort {
  if (mailUrl === null) return instead();
  return smtp({
    ...mailServer(mailUrl),
    from: mailFrom ?? `${PRODUCT_NAME} <${provider.contactEmail}>`,
  });
}

/** Only to this machine a mail may travel unencrypted. */
export function mailServer(url: string): { readonly url: string; readonly requiresTls: boolean } {
  return { url, requiresTls: !isLoopback(new URL(url).hostname) };
}
