import {
  type ClaimedMail,
  claimMail,
  giveUpLostMails,
  type MailEnd,
  settleMail,
} from '#records/notifications/mails.ts';
import { createPasswordReset } from '#records/identity/password-resets.ts';
import type { MailOutcome } from '#ports/mail.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';
import { readWeek } from '#records/results/performance-reports.ts';
import {
  type MailText,
  noticeMailText,
  reportMailText,
  resetMailText,
} from '#rules/notifications/mail-text.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import type { Dependencies, ServerConfig } from '../http/dependencies.ts';
import { newResetToken, RESET_LIFETIME_MS, RESET_MINUTES } from '#records/identity/reset-token.ts';

/** Longer than a mail server may take to answer. */
const LOST_AFTER_MS = 5 * MINUTE_MS;
/** Minutes to wait after each attempt that may pass; after the last of them it is given up. */
const PAUSES_MINUTES = [1, 5, 15, 60, 240] as const;

type MailDependencies = Pick<Dependencies, 'records' | 'mail' | 'now' | 'logger'> & {
  readonly config: Pick<ServerConfig, 'publicUrl'>;
};

/** Sends what is due, each mail once. Answers how many were handed over. */
export async function deliverMails(dependencies: MailDependencies): Promise<number> {
  const { records, mail, now, logger } = dependencies;
  const at = now();
  const lost = await giveUpLostMails(records.database, { before: (at - LOST_AFTER_MS) as Instant, at });
  if (lost > 0 && logger) logger.warn({ lost }, 'mails of unknown fate are not sent again');
  let handedOver = 0;
  for (;;) {
    const claimed = await claimMail(records.database, now());
    if (!claimed) return handedOver;
    const { subject, text } = await compose(claimed, dependencies);
    const outcome = await mail.send({ to: claimed.to, subject, text });
    if (outcome.outcome !== 'sent' && logger) logger.warn({ outcome, ids: claimed.ids }, 'mail not sent');
    const end = endOf(outcome, claimed.attempts, now());
    await settleMail(records.database, claimed.ids, { end, at: now() });
    handedOver += 1;
  }
}

async function compose(claimed: ClaimedMail, { records, config, now }: MailDependencies): Promise<MailText> {
  const { firstName, content, userId } = claimed;
  const preferencesLink = `${config.publicUrl}/account?tab=notifications`;
  if (content.purpose === 'performance_report') {
    const deployments = await readWeek(records.database, { userId, week: content.week });
    return reportMailText({ firstName, week: content.week, deployments, preferencesLink });
  }
  if (content.purpose === 'notification') {
    return noticeMailText({
      firstName,
      notices: content.notices.map(({ facts, at }) => ({
        ...noticeText(facts),
        date: at.toISOString().slice(0, 10),
      })),
      preferencesLink,
    });
  }
  // The token is made here, so that it stands nowhere but in the mail.
  const { token, hash } = newResetToken();
  const at = now();
  const expiresAt = (at + RESET_LIFETIME_MS) as Instant;
  await createPasswordReset(records.database, { hash, userId, at, expiresAt });
  return resetMailText({ firstName, link: resetLink(config.publicUrl, token), minutes: RESET_MINUTES });
}

function endOf(outcome: MailOutcome, attempts: number, now: Instant): MailEnd {
  if (outcome.outcome === 'sent') return { status: 'sent', problem: null };
  if (outcome.outcome === 'unknown') return { status: 'unknown', problem: outcome.reason };
  const pause = PAUSES_MINUTES[attempts - 1];
  if (!outcome.mayPass || pause === undefined) return { status: 'failed', problem: outcome.reason };
  return { status: 'waiting', dueAt: (now + pause * MINUTE_MS) as Instant, problem: outcome.reason };
}

/** The page of the web app that takes the token out of its address. */
function resetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/reset-password?token=${token}`;
}
