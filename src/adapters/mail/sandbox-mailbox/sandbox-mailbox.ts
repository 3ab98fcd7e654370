import type { Mailbox, MailPort } from '#ports/mail.ts';

/** Sends nothing anywhere: every mail is put into the mailbox, where its page shows it. */
export function sandboxMailbox(mailbox: Mailbox): MailPort {
  return {
    async send(mail) {
      await mailbox.keep(mail);
      return { outcome: 'sent' };
    },
  };
}
