import type { Mailbox, MailPort } from '#ports/mail.ts';

/** Sends nothing: every mail goes into the mailbox, and the mailbox page shows it. */
export function sandboxMailbox(mailbox: Mailbox): MailPort {
  return {
    async send(mail) {
      await mailbox.keep(mail);
      return { outcome: 'sent' };
    },
  };
}
