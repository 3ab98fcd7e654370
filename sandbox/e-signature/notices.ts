// The notices of Connect: signed over the bytes that are sent, kept until they were acknowledged, and then again on request,
// because the service may repeat one.
import { createHmac } from 'node:crypto';
import { ACCOUNT_ID, type StandInSettings } from './account.ts';
import type { SandboxEnvelope } from './envelopes/books.ts';

type Notice = { readonly url: string; readonly body: string; readonly headers: Record<string, string> };

export type Notices = {
  /** Queues a notice if the envelope asked for this event. */
  note(envelope: SandboxEnvelope, event: string): void;
  /** Tries each waiting notice once; the statuses of the answers, 0 for none. */
  deliver(): Promise<readonly number[]>;
  readonly waiting: readonly Notice[];
  /** The newest, as it was sent. */
  newest(): Notice | undefined;
};

export function createNotices({ connectKeys, nowMs, userId }: StandInSettings): Notices {
  const waiting: Notice[] = [];
  let newest: Notice | undefined;
  return {
    waiting,
    newest: () => newest,
    note(envelope, event) {
      if (envelope.noticeUrl === null || !envelope.noticeEvents.includes(event)) return;
      const { envelopeId } = envelope;
      const body = JSON.stringify({
        event,
        apiVersion: 'v2.1',
        uri: `/restapi/v2.1/accounts/${ACCOUNT_ID}/envelopes/${envelopeId}`,
        retryCount: 0,
        configurationId: 0,
        generatedDateTime: new Date(nowMs()).toISOString(),
        data: { accountId: ACCOUNT_ID, userId, envelopeId },
      });
      const signatures = connectKeys.map((key, index) => [
        `x-docusign-signature-${index + 1}`,
        createHmac('sha256', key).update(body).digest('base64'),
      ]);
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'x-authorization-digest': 'HMACSHA256',
        ...Object.fromEntries(signatures),
      };
      newest = { url: envelope.noticeUrl, body, headers };
      waiting.push(newest);
    },
    async deliver() {
      const statuses: number[] = [];
      for (const notice of waiting.splice(0)) {
        const status = await send(notice);
        statuses.push(status);
        if (status < 200 || status > 299) waiting.push(notice);
      }
      return statuses;
    },
  };
}

async function send({ url, body, headers }: Notice): Promise<number> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
