// The jobs that carry news out of the product. `npm run news-times` measures how long it takes them.
import type { JobWorker } from '#records/jobs/job-worker.ts';
import { type MailDependencies, mailHandler } from '#server/mail/deliver-mail.ts';
import { type NewsDependencies, newsHandler } from '#server/news/deliver-news.ts';
import { type WebhookDependencies, webhookHandler } from '#server/webhooks/deliver-webhook.ts';

const MAILS = { atOnce: 10, inBatches: true, lookEverySeconds: 1 };

/** A batch ends with its slowest receiver, which may take ten seconds: others are claimed beside it meanwhile. */
const TO_RECEIVERS = { atOnce: 5, inBatches: true, besideEachOther: 8, lookEverySeconds: 1 };

export async function workNews(
  jobs: JobWorker,
  dependencies: MailDependencies & WebhookDependencies & NewsDependencies,
): Promise<void> {
  await jobs.work('mails', MAILS, mailHandler(dependencies));
  await jobs.work('webhooks', TO_RECEIVERS, webhookHandler(dependencies));
  await jobs.work('news', TO_RECEIVERS, newsHandler(dependencies));
}
