import { randomUUID } from 'node:crypto';
import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { addReading, findReading } from '#records/strategy-builder/model-readings.ts';
import type { Call } from '../http/call.ts';
import { isRefused, refuse } from '../http/refusal.ts';
import { conversationOf } from './conversation-of.ts';
import { atTheDesk } from './model-desk.ts';
import { readByModel, type ReadByModel } from './read-by-model.ts';
import { refuseBuilder } from './refuse-builder.ts';
import { showReading } from './show-reading.ts';

/** Builds nothing: what a model proposes is judged again where something is built from it. */
export const createReading: Call<typeof strategyBuilderEndpoints.createBuilderReading> = async (
  { body, caller },
  dependencies,
) => {
  const { records, languageModel, now } = dependencies;
  const { database } = records;
  const { userId } = caller;
  if (languageModel === null)
    return refuse('not_found', 'No language model reads here. The grammar reads every text.');
  const beyondPlan = await refuseBuilder(userId, dependencies);
  if (beyondPlan) return beyondPlan;
  const conversation = conversationOf(body);
  if (isRefused(conversation)) return conversation;
  const instruments = (await listInstruments(database)).filter(({ expiry }) => expiry === null);
  const asking = { userId, conversation, instruments };
  const done = await atTheDesk(() => readByModel(asking, { database, model: languageModel, now }));
  const found: ReadByModel =
    done === 'busy' ? { readingId: randomUUID(), promptHash: '', readBy: 'grammar', because: 'busy' } : done;
  const { port } = languageModel;
  await addReading(database, {
    id: found.readingId,
    userId,
    conversation,
    readBy: found.readBy,
    because: found.readBy === 'grammar' ? found.because : null,
    vendor: port.vendor,
    model: port.model,
    isStandIn: port.isStandIn,
    promptHash: found.promptHash,
    proposal: found.readBy === 'model' ? found.proposal : null,
    createdAt: now(),
  });
  const kept = await findReading(database, found.readingId, userId);
  if (kept === undefined) throw new Error('a reading that was just written is not there');
  return showReading(database, kept);
};
