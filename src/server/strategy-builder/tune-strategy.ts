import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { variantDefinition } from '#engine/backtest/variants.ts';
import { addDraftWords, listDraftWords } from '#records/strategy-builder/model-readings.ts';
import type { StrategyId } from '#units/identifiers.ts';
import { createBacktest } from '../strategies/backtests/create-backtest.ts';
import { findOwnStrategy } from '../strategies/drafts/find-own-strategy.ts';
import type { Call } from '../http/call.ts';
import { isRefused, notFound, refuse } from '../http/refusal.ts';
import { changeStrategy } from '../strategies/drafts/change-strategy.ts';
import { createStrategy } from '../strategies/drafts/create-strategy.ts';
import { copyOf } from './copy-of-draft.ts';

/** Different numbers or parts create a new version with its own backtest; the same numbers change nothing. */
export const tuneStrategy: Call<typeof strategyBuilderEndpoints.tuneStrategy> = async (
  call,
  dependencies,
) => {
  const { params, body, caller } = call;
  const draft = await findOwnStrategy(dependencies.records.database, params.id, caller);
  if (!draft) return notFound();
  const template = withParts(draft.definition, body.parts ?? {});
  const variant = variantDefinition(template, body.values ?? {});
  if (!variant.ok) {
    const [first] = variant.errors;
    return refuse(
      'definition_invalid',
      `${first?.path ?? 'The definition'} ${first?.message ?? 'cannot be used'}.`,
      {
        field: `${body.parts === undefined ? 'values' : 'parts'}.${first?.path ?? ''}`,
        details: { errors: variant.errors },
      },
    );
  }
  const definition = JSON.stringify(variant.definition);
  const isCopy = body.copy === true;
  const changed = isCopy
    ? await createStrategy(
        { ...call, params: undefined, body: copyOf(draft, { definition, name: body.name }) },
        dependencies,
      )
    : await changeStrategy({ ...call, body: { definition, name: body.name } }, dependencies);
  if (isRefused(changed)) return changed;
  // A copy goes on where its words are.
  const { database } = dependencies.records;
  const [words] = isCopy ? await listDraftWords(database, draft.id) : [];
  if (words !== undefined)
    await addDraftWords(database, {
      ...words,
      strategyId: changed.id as StrategyId,
      userId: caller.userId,
      saidAt: dependencies.now(),
    });
  if (!isCopy && changed.version === draft.versionNumber) return { draft: changed, backtest: null };
  const backtest = await createBacktest(
    { ...call, params: { id: changed.id }, body: { kind: 'backtest' } },
    dependencies,
  );
  return { draft: changed, backtest: isRefused(backtest) ? null : backtest };
};

/** A part that is null is taken out. */
function withParts(definition: unknown, parts: Readonly<Record<string, unknown>>): unknown {
  const given = Object.entries(parts).filter(([, part]) => part !== undefined);
  if (given.length === 0 || typeof definition !== 'object' || definition === null) return definition;
  const merged = { ...definition, ...Object.fromEntries(given) };
  return Object.fromEntries(Object.entries(merged).filter(([, part]) => part !== null));
}
