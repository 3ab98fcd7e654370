// The descriptions through the port of a language model: the stand-in proposes what the grammar read, after an answer that is spoilt in
// one of its ways. It measures the way there and back, the repairs and the referee, and nothing of a model: the stand-in understands
// no word.
import Fastify from 'fastify';
import { anthropicModel } from '#adapters/language-model/anthropic/anthropic-model.ts';
import { openaiCompatibleModel } from '#adapters/language-model/openai-compatible/openai-compatible-model.ts';
import type { Condition, StrategyDefinition } from '#engine/strategy/definition.ts';
import type { LanguageModelPort } from '#ports/language-model.ts';
import {
  asDescription,
  asMisfit,
  asRepair,
  proposalInstructions,
} from '#rules/strategy-builder/proposal/instructions.ts';
import { judgeProposal } from '#rules/strategy-builder/proposal/judge-proposal.ts';
import {
  type Groups,
  type Proposal,
  PROPOSAL_SCHEMA,
} from '#rules/strategy-builder/proposal/proposal-shape.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import { mountLanguageModelStandIn, STAND_IN_MODEL } from '#sandbox/language-model/stand-in.ts';
import type { Turn } from '#sandbox/language-model/turn.ts';
import type { Description } from './descriptions.ts';
import { MARKET } from './example-market.ts';

export type StandInCount = {
  readonly proposed: number;
  readonly ready: number;
  readonly repaired: number;
  /** A turned or changed proposal was asked back. */
  readonly caught: number;
  readonly turned: number;
  readonly failures: readonly string[];
};

export async function runWithStandIn(list: readonly Description[]): Promise<StandInCount> {
  const app = Fastify({ bodyLimit: 4 * 1024 * 1024 });
  const key = 'a-key-of-this-run';
  const standIn = mountLanguageModelStandIn(app, { key });
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
  const options = { model: STAND_IN_MODEL, isStandIn: true, prices: { input: 0, output: 0 }, key, url };
  const ports = [anthropicModel(options), openaiCompatibleModel(options)];
  const count = { proposed: 0, ready: 0, repaired: 0, caught: 0, turned: 0, failures: [] as string[] };
  try {
    for (const { text, place } of list) {
      const conversation = { messages: [text], answers: [] };
      const read = readStrategy(conversation, MARKET);
      const same = read.outcome === 'ready' ? proposalOf(read.definition!) : null;
      if (same === null) continue;
      count.proposed += 1;
      const port = ports[place % ports.length]!;
      const judging = { conversation, instruments: MARKET, read, decisions: [] };
      standIn.script.push(spoilt(same, place), { does: 'answer', object: same });
      const [proposal, rounds] = await ask(port, text);
      const judged = proposal && judgeProposal(proposal, judging);
      if (judged?.outcome === 'ready') count.ready += 1;
      else count.failures.push(`${text} gave ${JSON.stringify(judged).slice(0, 200)}`);
      if (rounds > 1) count.repaired += 1;
      standIn.script.length = 0;
      const other = {
        ...same,
        stop_percent: 33,
        schedule: same.schedule === 'day' ? 'week' : 'day',
      } as const;
      const turned = judgeProposal(other, judging);
      count.turned += 1;
      if ('assumed' in turned && (turned.outcome === 'asks' || turned.assumed.length > 0)) count.caught += 1;
      else if (turned.outcome === 'unfit') count.caught += 1;
      else count.failures.push(`${text} took a stop of 33% that nobody said`);
    }
  } finally {
    await app.close();
  }
  return count;
}

/** One bad answer first: each kind in its turn. */
function spoilt(object: Proposal, place: number): Turn {
  const kinds: readonly Turn[] = [
    { does: 'cut', object },
    { does: 'answer', object: { ...object, schedule: 'sometimes' } },
    { does: 'say', text: `Here it is: ${JSON.stringify(object)}` },
    { does: 'answer', object: { ...object, instruments: ['NOPE'] } },
    { does: 'answer', object: { ...object, gross_percent: 400 } },
  ];
  return kinds[place % kinds.length]!;
}

async function ask(port: LanguageModelPort, text: string): Promise<readonly [Proposal | null, number]> {
  const read = readStrategy({ messages: [text], answers: [] }, MARKET);
  const first = asDescription(text);
  let said = first;
  for (let round = 1; round <= 3; round++) {
    const answer = await port.ask({
      instructions: proposalInstructions(MARKET),
      messages: [{ role: 'person', text: said }],
      schema: PROPOSAL_SCHEMA,
      outputTokensMax: 4_000,
      withinMs: 30_000,
    });
    if (answer.outcome !== 'object') {
      said = `${first}\n\n${asRepair([asMisfit(answer.detail)])}`;
      continue;
    }
    const proposal = answer.object as Proposal;
    const judging = {
      conversation: { messages: [text], answers: [] },
      instruments: MARKET,
      read,
      decisions: [],
    };
    const judged = judgeProposal(proposal, judging);
    if (judged.outcome !== 'unfit') return [proposal, round];
    said = `${first}\n\n${asRepair(judged.errors)}`;
  }
  return [null, 3];
}

/** A definition in the form of a proposal; null where the form does not have it. */
function proposalOf(definition: StrategyDefinition): Proposal | null {
  const { rule, weighting, features, exits, options, schedule } = definition;
  if (schedule.every === 'bar' || schedule.every === 'bars' || rule.type === 'decider') return null;
  const none = { length: null, of: null, symbol: null, lag: null, output: null, deviations: null };
  const more = { fast: null, slow: null, signal: null, smooth: null };
  const of = (role: 'enterLong' | 'exitLong' | 'enterShort' | 'exitShort') =>
    rule.type === 'signals' ? groupsOf(rule[role]) : [];
  const [enter_long, exit_long, enter_short, exit_short] = [
    of('enterLong'),
    of('exitLong'),
    of('enterShort'),
    of('exitShort'),
  ];
  const where = rule.type === 'ranking' ? groupsOf(rule.where) : [];
  if (!enter_long || !exit_long || !enter_short || !exit_short || !where) return null;
  const sizes = {
    length: 'length' in weighting ? weighting.length : null,
    annual_percent: null,
    weights: [],
  };
  return {
    missing: 'nothing',
    instruments: definition.universe,
    schedule: schedule.every,
    direction: definition.direction,
    features: Object.entries(features).map(
      ([name, feature]) => ({ name, ...none, ...more, ...feature }) as Proposal['features'][number],
    ),
    rule: rule.type,
    enter_long,
    exit_long,
    enter_short,
    exit_short,
    ranking: rule.type === 'ranking' ? { by: rule.by, top: rule.top, where } : null,
    pair:
      rule.type === 'pairs'
        ? {
            first: rule.pairs[0]!.first,
            second: rule.pairs[0]!.second,
            length: rule.length,
            enter_at: rule.enterAt,
            exit_at: rule.exitAt,
            stop_at: rule.stopAt ?? null,
          }
        : null,
    weighting:
      weighting.type === 'equal'
        ? { type: weighting.over === 'held' ? 'equal_of_held' : 'equal', ...sizes }
        : weighting.type === 'fixed'
          ? {
              type: 'fixed',
              ...sizes,
              weights: Object.entries(weighting.weights).map(([symbol, share]) => ({
                symbol,
                percent: share * 100,
              })),
            }
          : weighting.type === 'volatility_target'
            ? { type: 'volatility_target', ...sizes, annual_percent: weighting.annualPercent }
            : { type: 'inverse_volatility', ...sizes },
    gross_percent: definition.gross * 100,
    stop_percent: exits.stopPercent ?? null,
    target_percent: exits.targetPercent ?? null,
    bars_held: exits.maxBars ?? null,
    options:
      options === undefined ? null : { structure: options.structure, strike_percent: options.strikePercent },
    words: [],
  };
}

/** Alternatives of conditions that all hold; null where it is nested otherwise. */
function groupsOf(condition: Condition | undefined): Groups | null {
  if (condition === undefined) return [];
  const alternatives = condition.op === 'any' ? condition.of : [condition];
  const groups = alternatives.map((one) => {
    const all = one.op === 'all' ? one.of : [one];
    return all.every((part) => 'left' in part)
      ? { all: all.map(({ left, op, right }) => ({ left: String(left), op, right: String(right) })) }
      : null;
  });
  return groups.every((group) => group !== null) ? groups : null;
}
