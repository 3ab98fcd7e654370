import type { newsEndpoints } from '#contract/news.ts';
import { listAddresses } from '#records/news/news-addresses.ts';
import type { Call } from '../http/call.ts';
import { showAddress } from './show-news.ts';
import { vapidKeyOf } from './vapid-key.ts';

export const getNewsOutside: Call<typeof newsEndpoints.getNewsOutside> = async (
  { caller },
  { records, keys, config },
) => ({
  push: { public_key: vapidKeyOf(keys.newest('web_push')).publicKey },
  telegram: config.telegramBot === null ? null : { bot: config.telegramBot },
  addresses: (await listAddresses(records.database, caller.userId)).map(showAddress),
});
