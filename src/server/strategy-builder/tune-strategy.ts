import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { variantDefinition } from '#engine/backtest/variants.ts';
import { createBacktest } from '../strategies/backtests/create-backtest.ts';
import { findOwnStrategy } from '../strategies/drafts/find-own-strategy.ts';
import type { Call } from '../http/call.ts';
import { isRefused, notFound, refuse } from '../http/refusal.ts';
import { changeStrategy } from '../strategies/drafts/change-strategy.ts';

/** Different numbers create a new version with its own backtest; the same numbers change nothing. */
export const tuneStrategy: Call<typeof strategyBuilderEndpoints.tuneStrategy> = async (
  call,
  dependencies,
) => {
  const { params, body, caller } = call;
  const draft = await findOwnStrategy(dependencies.records.database, params.id, caller);
  if (!draft) return notFound();
  const variant = variantDefinition(draft.definition, body.values ?? {});
  if (!variant.ok) {
    const [first] = variant.errors;
    return refuse(
      'definition_invalid',
      `${first?.path ?? 'The definition'} ${first?.message ?? 'cannot be used'}.`,
      {
        field: `values.${first?.path ?? ''}`,
        details: { errors: variant.errors },
      },
    );
  }
  const definition = JSON.stringify(variant.definition);
  const changed = await changeStrategy({ ...call, body: { definition, name: body.name } }, dependencies);
  if (isRefused(changed)) return changed;
  if (changed.version === draft.versionNumber) return { draft: changed, backtest: null };
  const backtest = await createBacktest({ ...call, body: { kind: 'backtest' } }, dependencies);
  return { draft: changed, backtest: isRefused(backtest) ? null : backtest };
};
