import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import { findAct, listActs } from '#records/api-keys/key-acts.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showKeyAct } from './show-api-key.ts';

export const listKeyActs: Call<typeof apiKeysEndpoints.listKeyActs> = async (
  { query, caller: { userId, key } },
  { records, now },
) => {
  const onlyWaiting = query.status === 'waiting';
  const acts = await listActs(records.database, { userId, keyId: key?.id, at: now(), onlyWaiting });
  return acts.map(showKeyAct);
};

export const getKeyAct: Call<typeof apiKeysEndpoints.getKeyAct> = async (
  { params: { id }, caller: { userId, key } },
  { records, now },
) => {
  const act = await findAct(records.database, { id, userId, keyId: key?.id, at: now() });
  return act === undefined ? notFound() : showKeyAct(act);
};
