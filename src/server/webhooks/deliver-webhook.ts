import { randomUUID } from 'node:crypto';
import type { WebhookOutcome, WebhookSender } from '#ports/webhook-sender.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import { type DueDelivery, findDueDelivery, noteAttempt } from '#records/webhooks/webhooks.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';
import { webhookProblemText, type WebhookProblem } from '#rules/webhooks/webhook-terms.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { TEST_TYPE } from './show-webhook.ts';
import { openSecrets, signatureHeaders } from './webhook-secrets.ts';

export type WebhookDependencies = Pick<Dependencies, 'records' | 'now' | 'keys'> & {
  readonly webhooks: WebhookSender;
};

/** One attempt. A crash before it is noted posts the same again, under the same id: the receiver takes each id once. */
export function webhookHandler(dependencies: WebhookDependencies): JobHandler<'webhooks'> {
  const { records, now, webhooks } = dependencies;
  return async ({ data: { deliveryId }, isLast }) => {
    const due = await findDueDelivery(records.database, deliveryId);
    if (due === undefined) return 'done';
    const outcome: WebhookOutcome | { outcome: 'failed'; code: 'disabled' } = due.isDisabled
      ? { outcome: 'failed', code: 'disabled' }
      : await webhooks.send(await postOf(due, dependencies));
    const problem = problemOf(outcome);
    const isOver = problem === null || problem === 'disabled' || isLast;
    const status = problem === null ? 'taken' : isOver ? 'failed' : 'waiting';
    const { id, webhookId } = due;
    await records.database.transaction().execute(async (trx) => {
      const answered = outcome.outcome === 'answered' ? outcome.status : null;
      const at = now();
      const because = await noteAttempt(trx, { id, webhookId, status, answered, problem, at });
      if (because !== null) await insertNotifications(trx, [disabledNotice(due, because, at)]);
    });
    return isOver ? 'done' : { retry: webhookProblemText(problem) };
  };
}

async function postOf(due: DueDelivery, { keys, now }: WebhookDependencies) {
  const at = now();
  const { newest, former } = await openSecrets(due.sealedSecrets, due.webhookId, keys);
  const formerSigns = former !== null && due.formerUntil !== null && due.formerUntil.getTime() > at;
  const body = JSON.stringify(bodyOf(due));
  return {
    url: due.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Bellwether-Webhooks/1',
      ...signatureHeaders({ id: due.id, at, body }, formerSigns ? [newest, former] : [newest]),
    },
  };
}

/** The same at each attempt. */
function bodyOf({ notice, createdAt }: DueDelivery): object {
  if (notice === null) return { type: TEST_TYPE, timestamp: createdAt.toISOString(), data: {} };
  return {
    type: notice.facts.kind,
    timestamp: createdAt.toISOString(),
    data: {
      notification: notice.id,
      ...noticeText(notice.facts),
      deployment: notice.deploymentId,
      /** Market time. */
      created_at: notice.createdAt.toISOString(),
    },
  };
}

function problemOf(
  outcome: WebhookOutcome | { readonly outcome: 'failed'; readonly code: 'disabled' },
): WebhookProblem | null {
  if (outcome.outcome === 'failed') return outcome.code;
  if (outcome.status >= 200 && outcome.status < 300) return null;
  return outcome.status >= 300 && outcome.status < 400 ? 'redirected' : 'refused';
}

function disabledNotice(
  { userId, webhookId, url }: DueDelivery,
  because: 'failing' | 'gone',
  at: ReturnType<Dependencies['now']>,
) {
  return {
    id: randomUUID() as string as NotificationId,
    userId,
    deploymentId: null,
    facts: { kind: 'webhook_disabled', host: new URL(url).host, because },
    cause: `webhook_disabled:${webhookId}:${at}`,
    at,
  } as const;
}
