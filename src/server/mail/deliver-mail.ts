import type { JobHandler } from '#records/jobs/job-worker.ts';
import { type ClaimedMail, claimMail, finishMail } from '#records/notifications/mails.ts';
import { createVerification } from '#records/identity/email-verification.ts';
import { createPasswordReset } from '#records/identity/password-resets.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';
import { readWeek } from '#records/results/performance-reports.ts';
import { setInvitationLink } from '#records/identity/staff-accounts.ts';
import {
  invitationMailText,
  type MailText,
  noticeMailText,
  reportMailText,
  resetMailText,
  verificationMailText,
} from '#rules/notifications/mail-text.ts';
import type { MailPort } from '#ports/mail.ts';
import { HOUR_MS, type Instant, parseInstant, utcDate } from '#units/instant.ts';
import { findIncidents } from '#records/incidents/open-incidents.ts';
import { type AlarmEvent, alarmMailText } from '#rules/notifications/alarm-text.ts';
import { alarmOf } from './alarm-of.ts';
import { newResetToken, RESET_LIFETIME_MS, RESET_MINUTES } from '#records/identity/reset-token.ts';
import type { Dependencies, ServerConfig } from '../http/dependencies.ts';

const INVITATION_HOURS = 24;
const VERIFICATION_HOURS = 24;

export type MailDependencies = Pick<Dependencies, 'records' | 'now' | 'logger'> & {
  readonly mail: MailPort;
  readonly config: Pick<ServerConfig, 'installation' | 'publicUrl'>;
};

/** Sends a queued mail once. */
export function mailHandler(dependencies: MailDependencies): JobHandler<'mails'> {
  const { records, mail, now, logger } = dependencies;
  const { database } = records;
  return async ({ data: { mailId }, isLast }) => {
    const claimed = await claimMail(database, mailId, now());
    if (claimed === 'lost' && logger) logger.warn({ mailId }, 'a mail of unknown fate is not sent again');
    if (claimed === 'lost' || claimed === 'over') return 'done';
    const { subject, text } = await compose(claimed, dependencies);
    const outcome = await mail.send({ to: claimed.to, subject, text });
    if (outcome.outcome === 'nowhere') {
      await finishMail(database, mailId, { end: { status: 'failed', problem: outcome.reason }, at: now() });
      return 'done';
    }
    if (outcome.outcome !== 'sent' && logger) logger.warn({ outcome, mailId }, 'mail not sent');
    const settle = (status: 'sent' | 'failed' | 'unknown' | 'waiting', problem: string | null) =>
      finishMail(database, mailId, { end: { status, problem }, at: now() });
    if (outcome.outcome !== 'refused') {
      await settle(outcome.outcome, outcome.outcome === 'unknown' ? outcome.reason : null);
      return 'done';
    }
    const { mayPass, reason } = outcome;
    if (mayPass && !isLast) {
      await settle('waiting', reason);
      return { retry: reason };
    }
    await settle('failed', reason);
    return { deadLetter: 'mail_refused', detail: reason };
  };
}

async function compose(claimed: ClaimedMail, { records, config, now }: MailDependencies): Promise<MailText> {
  const { content } = claimed;
  if (content.purpose === 'alarm') return composeAlarms(content.alarms, { records, config });
  if (content.purpose === 'invitation') {
    const { token, hash } = newResetToken();
    const { invitationId: id } = content;
    const expiresAt = (now() + INVITATION_HOURS * HOUR_MS) as Instant;
    const role = await setInvitationLink(records.database, { id, hash, expiresAt });
    const link = `${config.publicUrl}/invitation?token=${token}`;
    return invitationMailText({ role, link, hours: INVITATION_HOURS });
  }
  const { firstName, userId } = content;
  const preferencesLink = `${config.publicUrl}/account?tab=notifications`;
  if (content.purpose === 'performance_report') {
    const deployments = await readWeek(records.database, { userId, week: content.week });
    const hasFee = config.installation !== 'own';
    return reportMailText({ firstName, week: content.week, deployments, preferencesLink, hasFee });
  }
  if (content.purpose === 'notification') {
    return noticeMailText({
      firstName,
      notices: content.notices.map(({ facts, decision, at }) => ({
        ...noticeText(facts),
        kind: facts.kind,
        decision,
        date: utcDate(parseInstant(at)),
      })),
      preferencesLink,
    });
  }
  if (content.purpose === 'verification') {
    const { token, hash } = newResetToken();
    const expiresAt = (now() + VERIFICATION_HOURS * HOUR_MS) as Instant;
    await createVerification(records.database, { hash, userId, at: now(), expiresAt });
    const link = `${config.publicUrl}/verify-email?token=${token}`;
    return verificationMailText({ link, hours: VERIFICATION_HOURS });
  }
  // The token is generated here, so that it exists only in the mail.
  const { token, hash } = newResetToken();
  const at = now();
  const expiresAt = (at + RESET_LIFETIME_MS) as Instant;
  await createPasswordReset(records.database, { hash, userId, at, expiresAt });
  return resetMailText({ firstName, link: resetLink(config.publicUrl, token), minutes: RESET_MINUTES });
}

async function composeAlarms(
  alarms: readonly { readonly incidentId: string; readonly event: AlarmEvent }[],
  { records, config }: Pick<MailDependencies, 'records' | 'config'>,
): Promise<MailText> {
  const ids = alarms.map(({ incidentId }) => incidentId);
  const incidents = new Map((await findIncidents(records.database, ids)).map((one) => [one.id, one]));
  return alarmMailText(
    alarms.flatMap(({ incidentId, event }) => {
      const incident = incidents.get(incidentId);
      return incident === undefined ? [] : alarmOf(incident, event, config.publicUrl);
    }),
  );
}

/** The page of the web app that takes the token out of its address. */
function resetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/reset-password?token=${token}`;
}
