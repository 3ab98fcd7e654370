import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { addDraftWords, listDraftWords } from '#records/strategy-builder/model-readings.ts';
import { keepTuned } from '#rules/strategy-builder/keep-tuned.ts';
import { conversationText } from '#rules/strategy-builder/reading/conversation.ts';
import type { StrategyId } from '#units/identifiers.ts';
import type { Call } from '../http/call.ts';
import { isRefused, notFound } from '../http/refusal.ts';
import { createBacktest } from '../strategies/backtests/create-backtest.ts';
import { changeStrategy } from '../strategies/drafts/change-strategy.ts';
import { createStrategy } from '../strategies/drafts/create-strategy.ts';
import { findOwnStrategy } from '../strategies/drafts/find-own-strategy.ts';
import { copyOf } from './copy-of-draft.ts';
import { defineByWords } from './define-by-words.ts';

/** The conversation goes on: its whole is read anew, and numbers that were moved by hand stay where the words do not speak of them. */
export const reviseStrategy: Call<typeof strategyBuilderEndpoints.reviseStrategy> = async (
  call,
  dependencies,
) => {
  const { params, body, caller } = call;
  const { database } = dependencies.records;
  const draft = await findOwnStrategy(database, params.id, caller);
  if (!draft) return notFound();
  const { userId } = caller;
  const place = { database, userId, instruments: await listInstruments(database) };
  const defined = await defineByWords(body, place);
  if (isRefused(defined)) return defined;
  const [last] = await listDraftWords(database, draft.id);
  const before =
    last &&
    (await defineByWords(
      {
        description: last.conversation.messages[0] ?? '',
        further: last.conversation.messages.slice(1),
        answers: [...last.conversation.answers],
        reading: last.readingId ?? undefined,
        decisions: [...last.decisions],
      },
      place,
    ));
  const now = parseDefinition(draft.definition);
  const next =
    before !== undefined && !isRefused(before) && now.ok
      ? keepTuned({ before: before.definition, now: now.definition, next: defined.definition })
      : defined.definition;
  const described = {
    // Its writer may have changed the name, and a name is part of a definition.
    definition: JSON.stringify({ ...next, name: now.ok ? now.definition.name : next.name }),
    description: conversationText(defined.conversation),
    strategy_type: defined.strategyType,
  };
  const isCopy = body.copy === true;
  const copy = { ...copyOf(draft, { definition: described.definition, name: undefined }), ...described };
  const changed = isCopy
    ? await createStrategy({ ...call, params: undefined, body: copy }, dependencies)
    : await changeStrategy({ ...call, body: described }, dependencies);
  if (isRefused(changed)) return changed;
  if (!isCopy && changed.version === draft.versionNumber) return { draft: changed, backtest: null };
  const { conversation, readingId, decisions } = defined;
  const saidAt = dependencies.now();
  await addDraftWords(database, {
    strategyId: changed.id as StrategyId,
    userId,
    conversation,
    readingId,
    decisions,
    saidAt,
  });
  const backtest = await createBacktest(
    { ...call, params: { id: changed.id }, body: { kind: 'backtest' } },
    dependencies,
  );
  return { draft: changed, backtest: isRefused(backtest) ? null : backtest };
};
