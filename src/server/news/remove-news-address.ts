import type { newsEndpoints } from '#contract/news.ts';
import { dropAddress, findAddress } from '#records/news/news-addresses.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

export const removeNewsAddress: Call<typeof newsEndpoints.removeNewsAddress> = async (
  { params: { id }, caller: { userId } },
  { records: { database } },
) => {
  if ((await findAddress(database, { userId, id })) === undefined) return notFound();
  await database.transaction().execute((trx) => dropAddress(trx, id, 'removed'));
};
