// The mail server: whether it lets us in. Nothing is sent.
import { mailServerFault } from '#adapters/mail/smtp/smtp.ts';
import { mailServer } from '../wiring/connect-mail.ts';
import { type Finding, fit, unfit } from './finding.ts';

export async function checkMail(mailUrl: string | null): Promise<Finding> {
  if (mailUrl === null) return fit('mail', 'no MAIL_URL: mails stay in the product');
  // Without what signs us in.
  const { host } = new URL(mailUrl);
  const fault = await mailServerFault(mailServer(mailUrl));
  return fault === null
    ? fit('mail', `${host} lets us in; nothing was sent`)
    : unfit('mail', `${host} does not let us in (${fault}): check MAIL_URL, its user, password and port`);
}
