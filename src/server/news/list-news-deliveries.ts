import type { newsEndpoints } from '#contract/news.ts';
import { listDeliveries } from '#records/news/news-deliveries.ts';
import type { Call } from '../http/call.ts';
import { showDelivery } from './show-news.ts';

export const listNewsDeliveries: Call<typeof newsEndpoints.listNewsDeliveries> = async (
  { caller },
  { records },
) => (await listDeliveries(records.database, caller.userId, SHOWN_MAX)).map(showDelivery);

const SHOWN_MAX = 50;
