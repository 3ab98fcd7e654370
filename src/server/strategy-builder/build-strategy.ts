import { randomUUID } from 'node:crypto';
import { BACKTESTS_QUEUED_MAX } from '#contract/strategies/backtests.ts';
import type {
  BuildStrategyRequest,
  strategyBuilderEndpoints,
} from '#contract/strategies/strategy-builder.ts';
import type { StrategyDraft as ShownDraft } from '#contract/strategies/strategy-drafts.ts';
import type { Database } from '#records/postgres/database.ts';
import { addBacktestJob, type RuleSearch } from '#records/results/backtest-jobs.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { addDraftWords } from '#records/strategy-builder/model-readings.ts';
import { type BuilderInput, USUAL_INPUT } from '#rules/strategy-builder/builder-input.ts';
import { previewSentence } from '#rules/strategy-builder/preview-sentence.ts';
import { conversationText } from '#rules/strategy-builder/reading/conversation.ts';
import type { BacktestJobId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { createBacktest } from '../strategies/backtests/create-backtest.ts';
import { showBacktest } from '../strategies/backtests/show-backtest.ts';
import type { Call } from '../http/call.ts';
import { isRefused, refuse, type Refused } from '../http/refusal.ts';
import { createStrategy } from '../strategies/drafts/create-strategy.ts';
import type { Tradable } from './choose-universe.ts';
import { compileDefinition } from './compile-definition.ts';
import { searchCandidates } from './search-candidates.ts';
import { defineByWords, type DefinedByWords } from './define-by-words.ts';
import { refuseBuilder } from './refuse-builder.ts';
import type { BuiltType } from './templates.ts';

/** Turns the request into a definition, saves it as the caller's draft, and starts a search for rules that meet the wishes, or its backtest. */
export const buildStrategy: Call<typeof strategyBuilderEndpoints.buildStrategy> = async (
  call,
  dependencies,
) => {
  const { body, caller } = call;
  const beyondPlan = await refuseBuilder(caller.userId, dependencies);
  if (beyondPlan) return beyondPlan;
  const instruments = await listInstruments(dependencies.records.database);
  const { database } = dependencies.records;
  const { userId } = caller;
  const words = body.mode === 'ui' ? null : await defineByWords(body, { database, userId, instruments });
  if (isRefused(words)) return words;
  const built = body.mode === 'ui' ? fromControls(body, instruments) : fromWords(words!);
  if (isRefused(built)) return built;
  const draft = await createStrategy({ ...call, body: built }, dependencies);
  if (isRefused(draft)) return draft;
  if (words !== null) {
    const { conversation, readingId, decisions } = words;
    const said = { conversation, readingId, decisions, saidAt: dependencies.now() };
    await addDraftWords(database, { ...said, strategyId: draft.id as StrategyId, userId });
  }
  if (body.mode === 'ui') {
    const candidates = searchCandidates(inputOf(body), instruments);
    const wishes = { maxDrawdown: body.max_drawdown, targetReturn: body.target_return };
    return {
      draft,
      backtest: await beginSearch(database, { draft, userId, search: { wishes, candidates } }),
    };
  }
  const backtest = await createBacktest(
    { ...call, params: { id: draft.id }, body: { kind: 'backtest' }, repetitionId: null },
    dependencies,
  );
  return { draft, backtest: isRefused(backtest) ? null : backtest };
};

/** Null where too many jobs of the person wait. */
async function beginSearch(
  database: Database,
  about: { readonly draft: ShownDraft; readonly userId: UserId; readonly search: RuleSearch },
) {
  const { draft, userId, search } = about;
  const job = await addBacktestJob(
    database,
    {
      id: randomUUID() as string as BacktestJobId,
      strategyId: draft.id as StrategyId,
      versionId: draft.version_id as StrategyVersionId,
      userId,
      kind: 'search',
      parameters: [],
      search,
    },
    BACKTESTS_QUEUED_MAX,
  );
  return job && showBacktest(job);
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
  const input = inputOf(body);
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

function inputOf(body: Extract<BuildStrategyRequest, { mode: 'ui' }>): BuilderInput {
  return {
    assetClass: body.asset_class,
    riskLevel: body.risk_level,
    maxDrawdown: body.max_drawdown,
    targetReturn: body.target_return,
    minimumInvestment: body.minimum_investment,
  };
}

function fromWords({ definition, strategyType, isOfShares, wishes, conversation }: DefinedByWords): NewDraft {
  return {
    name: definition.name,
    shortDescription: `Built from a description: ${definition.name}.`,
    description: conversationText(conversation),
    strategy_type: strategyType,
    market: isOfShares ? 'us' : 'global',
    min_investment: wishes.minimumInvestment ?? USUAL_INPUT.minimumInvestment,
    definition: JSON.stringify(definition),
  };
}
