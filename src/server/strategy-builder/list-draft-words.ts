import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { findReading, listDraftWords as list } from '#records/strategy-builder/model-readings.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { findOwnStrategy } from '../strategies/drafts/find-own-strategy.ts';
import { showReading } from './show-reading.ts';

export const listDraftWords: Call<typeof strategyBuilderEndpoints.listDraftWords> = async (
  { params, caller },
  { records },
) => {
  const { database } = records;
  const draft = await findOwnStrategy(database, params.id, caller);
  if (!draft) return notFound();
  const words = await list(database, draft.id);
  return Promise.all(
    words.map(async ({ version, conversation, readingId, decisions, saidAt }) => {
      const reading = readingId === null ? undefined : await findReading(database, readingId, caller.userId);
      return {
        version,
        messages: [...conversation.messages],
        answers: conversation.answers.map((one) => ({ ...one })),
        reading: reading === undefined ? null : await showReading(database, reading),
        decisions: decisions.map((one) => ({ ...one })),
        said_at: saidAt.toISOString(),
      };
    }),
  );
};
