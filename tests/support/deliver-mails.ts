import { type MailDependencies, mailHandler } from '#server/mail/deliver-mail.ts';
import { runJobs } from './run-jobs.ts';

/** Makes one attempt at each mail that is due. Returns how many were handed over. */
export async function deliverMails(
  dependencies: MailDependencies,
  { later = false }: { readonly later?: boolean } = {},
): Promise<number> {
  let handedOver = 0;
  const { mail } = dependencies;
  const counted: typeof mail = {
    send: (one) => {
      handedOver++;
      return mail.send(one);
    },
  };
  const handler = mailHandler({ ...dependencies, mail: counted });
  await runJobs(dependencies.records.database, { queue: 'mails', handler, later });
  return handedOver;
}
