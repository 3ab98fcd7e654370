import { randomUUID } from 'node:crypto';
import type { NewsChannel, NewsItem, NewsOutcome } from '#ports/news-channel.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import { dropAddress } from '#records/news/news-addresses.ts';
import { type DueNews, findDueNews, noteNewsAttempt } from '#records/news/news-deliveries.ts';
import { insertNotifications } from '#records/notifications/notifications-outbox.ts';
import {
  ATTEMPTS_MAX,
  type NewsChannelName,
  type NewsProblem,
  newsProblemText,
  PAUSE_SECONDS_MAX,
  shortNews,
  TEST_NEWS,
} from '#rules/news/news-terms.ts';
import { noticeText } from '#rules/notifications/notice-text.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { openAddress } from './seal-address.ts';

export type NewsDependencies = Pick<Dependencies, 'records' | 'now' | 'keys'> & {
  /** Null where this installation has none: what waits for it is refused. */
  readonly channels: Readonly<Record<NewsChannelName, NewsChannel | null>>;
};

/**
 * One attempt. A crash before it is noted sends the same again, under the same id: a browser shows each once, a chat may show it
 * twice.
 */
export function newsHandler(dependencies: NewsDependencies): JobHandler<'news'> {
  const { records, now, channels } = dependencies;
  return async ({ data: { deliveryId }, isLast }) => {
    const due = await findDueNews(records.database, deliveryId);
    if (due === undefined) return 'done';
    const channel = channels[due.channel];
    const outcome: NewsOutcome =
      channel === null
        ? { outcome: 'refused', status: 0 }
        : await channel.send(await itemOf(due, dependencies));
    const { id, addressId } = due;
    const note = (status: 'waiting' | 'taken' | 'failed', problem: NewsProblem | null) =>
      noteNewsAttempt(records.database, { id, status, problem, at: now() });
    switch (outcome.outcome) {
      case 'taken':
        await note('taken', null);
        return 'done';
      case 'refused':
        await note('failed', 'refused');
        return 'done';
      case 'gone':
        await records.database.transaction().execute(async (trx) => {
          await noteNewsAttempt(trx, { id, status: 'failed', problem: 'gone', at: now() });
          if (await dropAddress(trx, addressId, 'gone'))
            await insertNotifications(trx, [goneNotice(due, now())]);
        });
        return 'done';
      case 'later': {
        const { code, afterSeconds } = outcome;
        const isOver = isLast || due.attempts + 1 >= ATTEMPTS_MAX;
        await note(isOver ? 'failed' : 'waiting', code);
        if (isOver) return 'done';
        return afterSeconds === null
          ? { retry: newsProblemText(code) }
          : { again: { afterSeconds: Math.min(afterSeconds, PAUSE_SECONDS_MAX) } };
      }
    }
  };
}

async function itemOf(
  { id, addressId, sealedAddress, notice }: DueNews,
  { keys }: NewsDependencies,
): Promise<NewsItem> {
  const deployment = notice?.deploymentId ?? null;
  return {
    id,
    address: await openAddress(sealedAddress, addressId, keys),
    ...(notice === null ? TEST_NEWS : shortNews(noticeText(notice.facts))),
    path: deployment === null ? '/account?tab=notifications' : `/deployments/${deployment}`,
  };
}

function goneNotice({ userId, addressId, channel, name }: DueNews, at: ReturnType<Dependencies['now']>) {
  return {
    id: randomUUID() as string as NotificationId,
    userId,
    deploymentId: null,
    facts: { kind: 'channel_gone', channel, name },
    cause: `channel_gone:${addressId}`,
    at,
  } as const;
}
