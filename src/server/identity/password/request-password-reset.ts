import { randomUUID } from 'node:crypto';
import type { identityEndpoints } from '#contract/identity.ts';
import { enqueuePasswordReset } from '#records/notifications/mails.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';

/** Prevents flooding another person's mailbox. */
const REQUESTS_MAX = 3;
const REQUESTS_WITHIN_MS = 15 * MINUTE_MS;

/** The mailer sends the mail later: neither the answer nor its timing reveals whether the e-mail is known. */
export const requestPasswordReset: Call<typeof identityEndpoints.requestPasswordReset> = async (
  { body },
  { records, now },
) => {
  const at = now();
  await enqueuePasswordReset(records.database, {
    id: randomUUID(),
    email: body.email.toLowerCase(),
    at,
    since: (at - REQUESTS_WITHIN_MS) as Instant,
    most: REQUESTS_MAX,
  });
};
