import { signedWebhook } from '#adapters/alarm/signed-webhook/signed-webhook.ts';
import type { MailPort } from '#ports/mail.ts';
import type { Database } from '#records/postgres/database.ts';
import type { TraderDependencies } from '#trader/dependencies.ts';
import type { Environment } from '../environment/environment.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { anchorIncidents } from './anchor-incidents.ts';
import { type AuditAnchors, keepAnchors } from './keep-anchors.ts';
import { sendAnchors } from './send-anchors.ts';

/** Throws an Error that names the key when it is not that of the database. */
export async function openAnchors(
  environment: Environment,
  {
    database,
    connectMail,
    ...dependencies
  }: Pick<TraderDependencies, 'logger' | 'realNow'> & {
    readonly database: Database;
    readonly connectMail: () => MailPort;
  },
): Promise<AuditAnchors> {
  const { email, webhook } = environment.anchors;
  const keys = () => knownKeys(environment, database).anchorKeys();
  // Another key than that of the database refuses the start.
  await keys();
  const outcome = anchorIncidents({ ...dependencies, database });
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const sending = {
    database,
    keys,
    collector: webhook === null ? null : signedWebhook({ ...webhook, nowSeconds }),
    mail: email === null ? null : { port: connectMail(), to: email },
    outcome: outcome.sending,
  };
  return keepAnchors({
    database,
    dataDir: environment.dataDir,
    keys,
    send: () => sendAnchors(sending),
    outcome: outcome.anchoring,
  });
}
