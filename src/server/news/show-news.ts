import type { NewsAddress, NewsDelivery } from '#contract/news.ts';
import type { AddressRecord } from '#records/news/news-addresses.ts';
import type { NewsDeliveryRecord } from '#records/news/news-deliveries.ts';
import { newsProblemText } from '#rules/news/news-terms.ts';

export function showAddress({ id, channel, name, createdAt }: AddressRecord): NewsAddress {
  return { id, channel, name, created_at: createdAt.toISOString() };
}

export function showDelivery(delivery: NewsDeliveryRecord): NewsDelivery {
  const { id, channel, name, kind, status, attempts, problem, createdAt, triedAt } = delivery;
  return {
    id,
    channel,
    name,
    type: kind ?? 'test',
    status,
    attempts,
    problem: problem === null ? null : newsProblemText(problem),
    created_at: createdAt.toISOString(),
    tried_at: triedAt?.toISOString() ?? null,
  };
}
