import { randomUUID } from 'node:crypto';
import type { newsEndpoints } from '#contract/news.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { findAddress } from '#records/news/news-addresses.ts';
import { insertTestDelivery, listDeliveries } from '#records/news/news-deliveries.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showDelivery } from './show-news.ts';

/** By the same way as any other. */
export const testNewsAddress: Call<typeof newsEndpoints.testNewsAddress> = async (
  { params: { id: addressId }, caller: { userId } },
  { records: { database } },
) => {
  if ((await findAddress(database, { userId, id: addressId })) === undefined) return notFound();
  const id = randomUUID();
  await database.transaction().execute(async (trx) => {
    await insertTestDelivery(trx, { id, userId, addressId });
    await sendJobs(trx, 'news', [{ data: { deliveryId: id } }]);
  });
  const made = (await listDeliveries(database, userId, NEWEST)).find((delivery) => delivery.id === id);
  return made === undefined ? notFound() : showDelivery(made);
};

/** Others may have been written beside it. */
const NEWEST = 50;
