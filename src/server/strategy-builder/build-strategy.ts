import type {
  BuildStrategyRequest,
  strategyBuilderEndpoints,
} from '#contract/strategies/strategy-builder.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { findSubscription } from '#records/billing/subscriptions.ts';
import { builderRefusal, planHeldTo, planOf } from '#rules/billing/plans.ts';
import type { BuilderInput } from '#rules/strategy-builder/builder-input.ts';
import { previewSentence } from '#rules/strategy-builder/preview-sentence.ts';
import { readDescription } from '#rules/strategy-builder/read-description.ts';
import type { UserId } from '#units/identifiers.ts';
import { createBacktest } from '../strategies/backtests/create-backtest.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isRefused, refuse, type Refused } from '../http/refusal.ts';
import { createStrategy } from '../strategies/drafts/create-strategy.ts';
import type { Tradable } from './choose-universe.ts';
import { compileDefinition } from './compile-definition.ts';

/** Turns the request into a definition, saves it as the caller's draft and starts its backtest. */
export const buildStrategy: Call<typeof strategyBuilderEndpoints.buildStrategy> = async (
  call,
  dependencies,
) => {
  const { body, caller } = call;
  const beyondPlan = await refuseBuilder(caller.userId, dependencies);
  if (beyondPlan) return beyondPlan;
  const instruments = await listInstruments(dependencies.records.database);
  const input = readInput(body, instruments);
  if (isRefused(input)) return input;
  const compiled = compileDefinition(input, instruments);
  if (!compiled.ok) return refuse('definition_invalid', compiled.message, { field: 'asset_class' });
  const draft = await createStrategy(
    {
      ...call,
      body: {
        name: String(compiled.definition.name),
        shortDescription: previewSentence(input),
        description: body.mode === 'ai' ? body.description.trim() : '',
        strategy_type: compiled.strategyType,
        market: input.assetClass === 'equity' || input.assetClass === 'options' ? 'us' : 'global',
        min_investment: input.minimumInvestment,
        definition: JSON.stringify(compiled.definition),
      },
    },
    dependencies,
  );
  if (isRefused(draft)) return draft;
  const backtest = await createBacktest(
    { ...call, params: { id: draft.id }, body: { kind: 'backtest' }, repetitionId: null },
    dependencies,
  );
  return { draft, backtest: isRefused(backtest) ? null : backtest };
};

async function refuseBuilder(userId: UserId, { records, config }: Dependencies): Promise<Refused | null> {
  const subscription = await findSubscription(records.database, userId);
  const planId = planHeldTo(subscription?.plan, config.needsPlan);
  const sentence = planId === null ? null : builderRefusal(planOf(planId));
  return sentence === null ? null : refuse('plan_limit', sentence, { details: { plan: planId } });
}

function readInput(body: BuildStrategyRequest, instruments: readonly Tradable[]): BuilderInput | Refused {
  if (body.mode === 'ui') {
    return {
      assetClass: body.asset_class,
      riskLevel: body.risk_level,
      maxDrawdown: body.max_drawdown,
      targetReturn: body.target_return,
      minimumInvestment: body.minimum_investment,
      preferences: {},
    };
  }
  const { input, understood, notUnderstood } = readDescription(body.description, instruments);
  if (input !== null) return input;
  const details = { understood, not_understood: notUnderstood };
  if (body.description.trim() === '') {
    return refuse(
      'description_unclear',
      'Describe what to trade and how, such as: trend following on crypto.',
      {
        field: 'description',
        details,
      },
    );
  }
  const parts = notUnderstood.map(({ text }) => `“${text.slice(0, 60)}”`).slice(0, 3);
  const missed = parts.length > 0 ? ` Not understood: ${parts.join(', ')}.` : '';
  return refuse(
    'description_unclear',
    `The description names neither a market nor a style.${missed} Name a market, such as crypto, or a style, such as trend following.`,
    { field: 'description', details },
  );
}
