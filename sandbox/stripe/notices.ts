// The vendor's webhooks: signed over the bytes that are sent, kept until they were acknowledged, in any order and again on
// request, because the service promises neither order nor that an event comes once.
import { createHmac } from 'node:crypto';
import { newId } from './books.ts';

export type StandInSettings = {
  readonly nowMs: () => number;
  readonly secretKey: string;
  readonly webhookSecret: string;
};

export type SentNotice = { readonly body: string; readonly signature: string };

export type Notices = {
  note(type: string, object: unknown): void;
  /** Tries each waiting event once, newest first where `backwards`; the statuses of the answers, 0 for none. */
  deliver(options?: { readonly backwards?: boolean }): Promise<readonly number[]>;
  /** From now on events go there. */
  sendTo(url: string): void;
  readonly waiting: string[];
  /** An event signed now, or at another time. */
  sign(body: string, atMs?: number): SentNotice;
};

export function createNotices({ nowMs, webhookSecret }: StandInSettings): Notices {
  let url: string | null = null;
  const waiting: string[] = [];
  const sign = (body: string, atMs = nowMs()): SentNotice => {
    const seconds = Math.floor(atMs / 1000);
    const digest = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex');
    return { body, signature: `t=${seconds},v1=${digest}` };
  };
  return {
    waiting,
    sign,
    sendTo: (address) => {
      url = address;
    },
    note(type, object) {
      waiting.push(
        JSON.stringify({
          id: newId('evt'),
          object: 'event',
          type,
          created: Math.floor(nowMs() / 1000),
          livemode: false,
          data: { object },
        }),
      );
    },
    async deliver({ backwards = false } = {}) {
      const bodies = waiting.splice(0);
      const statuses: number[] = [];
      for (const body of backwards ? bodies.toReversed() : bodies) {
        const status = url === null ? 0 : await send(url, sign(body));
        statuses.push(status);
        if (status < 200 || status > 299) waiting.push(body);
      }
      return statuses;
    },
  };
}

async function send(url: string, { body, signature }: SentNotice): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
