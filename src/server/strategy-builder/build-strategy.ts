import type {
  BuildStrategyRequest,
  strategyBuilderEndpoints,
} from '#contract/strategies/strategy-builder.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { findSubscription } from '#records/billing/subscriptions.ts';
import { builderRefusal, planHeldTo, planOf } from '#rules/billing/plans.ts';
import { type BuilderInput, USUAL_INPUT } from '#rules/strategy-builder/builder-input.ts';
import { previewSentence } from '#rules/strategy-builder/preview-sentence.ts';
import {
  type Conversation,
  conversationText,
  wordsAt,
} from '#rules/strategy-builder/reading/conversation.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import type { UserId } from '#units/identifiers.ts';
import { createBacktest } from '../strategies/backtests/create-backtest.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isRefused, refuse, type Refused } from '../http/refusal.ts';
import { createStrategy } from '../strategies/drafts/create-strategy.ts';
import type { Tradable } from './choose-universe.ts';
import { compileDefinition } from './compile-definition.ts';
import type { BuiltType } from './templates.ts';

/** Turns the request into a definition, saves it as the caller's draft and starts its backtest. */
export const buildStrategy: Call<typeof strategyBuilderEndpoints.buildStrategy> = async (
  call,
  dependencies,
) => {
  const { body, caller } = call;
  const beyondPlan = await refuseBuilder(caller.userId, dependencies);
  if (beyondPlan) return beyondPlan;
  const instruments = await listInstruments(dependencies.records.database);
  const built = body.mode === 'ui' ? fromControls(body, instruments) : fromWords(body, instruments);
  if (isRefused(built)) return built;
  const draft = await createStrategy({ ...call, body: built }, dependencies);
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

type NewDraft = {
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly strategy_type: BuiltType;
  readonly market: 'us' | 'global';
  readonly min_investment: number;
  readonly definition: string;
};

function fromControls(
  body: Extract<BuildStrategyRequest, { mode: 'ui' }>,
  instruments: readonly Tradable[],
): NewDraft | Refused {
  const input: BuilderInput = {
    assetClass: body.asset_class,
    riskLevel: body.risk_level,
    maxDrawdown: body.max_drawdown,
    targetReturn: body.target_return,
    minimumInvestment: body.minimum_investment,
    preferences: {},
  };
  const compiled = compileDefinition(input, instruments);
  if (!compiled.ok) return refuse('definition_invalid', compiled.message, { field: 'asset_class' });
  return {
    name: String(compiled.definition['name']),
    shortDescription: previewSentence(input),
    description: '',
    strategy_type: compiled.strategyType,
    market: input.assetClass === 'equity' || input.assetClass === 'options' ? 'us' : 'global',
    min_investment: input.minimumInvestment,
    definition: JSON.stringify(compiled.definition),
  };
}

/** The words are read here again: nothing that the browser read is believed. */
function fromWords(
  { description, further = [], answers = [] }: Extract<BuildStrategyRequest, { mode: 'ai' }>,
  instruments: readonly Tradable[],
): NewDraft | Refused {
  const conversation: Conversation = { messages: [description, ...further], answers };
  if (description.trim() === '') {
    const sentence =
      'Describe what to trade and how, such as: hold bitcoin while it is above its 50-day average.';
    return refuse('description_unclear', sentence, { field: 'description' });
  }
  const read = readStrategy(
    conversation,
    instruments.filter(({ expiry }) => expiry === null),
  );
  const { definition } = read;
  if (read.outcome !== 'ready' || definition === null) return unclear(read, conversation);
  return {
    name: definition.name,
    shortDescription: `Built from a description: ${definition.name}.`,
    description: conversationText(conversation),
    strategy_type: read.strategyType,
    market: read.kind === 'equity' ? 'us' : 'global',
    min_investment: read.wishes.minimumInvestment ?? USUAL_INPUT.minimumInvestment,
    definition: JSON.stringify(definition),
  };
}

function unclear(read: ReturnType<typeof readStrategy>, conversation: Conversation): Refused {
  const questions = read.questions.map(({ sentence, spans, choices }) => ({
    sentence,
    words: wordsAt(conversation, spans),
    choices,
  }));
  const refusals = read.refusals.map(({ sentence, spans }) => ({
    sentence,
    words: wordsAt(conversation, spans),
  }));
  const [first] = refusals.length > 0 ? refusals : questions;
  const words = (first?.words ?? []).map((one) => `“${one.slice(0, 60)}”`).slice(0, 2);
  const about = words.length > 0 ? ` It is about ${words.join(' and ')}.` : '';
  const sentence = `${first?.sentence ?? 'This cannot be built.'}${about}`;
  return refuse('description_unclear', sentence, { field: 'description', details: { questions, refusals } });
}
