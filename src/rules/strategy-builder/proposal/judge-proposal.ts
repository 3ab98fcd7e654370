// A model's proposal, judged: the parser says whether it is a definition, the grammar where it says something else than was heard,
// and the text which of its numbers were never said. Only a proposal without open differences is built.
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { Conversation, ReadStrategy } from '../reading/conversation.ts';
import type { NamedInstrument } from '../reading/market-names.ts';
import type { Assumed, Link } from '../reading/said.ts';
import { typeOf } from '../reading/titles.ts';
import { type Difference, differencesOf } from './differences.ts';
import type { Proposal } from './proposal-shape.ts';
import { untracedOf } from './untraced.ts';
import { writeDefinition } from './write-definition.ts';

/** What a person decided about one difference. */
export type Decision = { readonly difference: string; readonly take: 'heard' | 'proposed' };

export type JudgedProposal =
  /** Sentences for the model; none is shown. */
  | { readonly outcome: 'unfit'; readonly errors: readonly string[] }
  | { readonly outcome: 'missing'; readonly sentence: string }
  | {
      readonly outcome: 'asks' | 'ready';
      readonly definition: StrategyDefinition;
      readonly strategyType: ReadStrategy['strategyType'];
      readonly differences: readonly (Difference & {
        readonly taken: Decision['take'] | null;
        /** The grammar has a whole definition to take this part from. */
        readonly canTakeHeard: boolean;
      })[];
      readonly assumed: readonly Assumed[];
      readonly links: readonly Link[];
      /** Why what was decided does not fit together; null where it does. */
      readonly clash: string | null;
    };

type Judging = {
  readonly conversation: Conversation;
  readonly instruments: readonly NamedInstrument[];
  /** The grammar's, of the same conversation. */
  readonly read: ReadStrategy;
  readonly decisions: readonly Decision[];
};

export function judgeProposal(proposal: Proposal, judging: Judging): JudgedProposal {
  const { conversation, instruments, read, decisions } = judging;
  if (proposal.missing !== 'nothing')
    return { outcome: 'missing', sentence: MISSING_SENTENCES[proposal.missing] };
  const written = writeDefinition(proposal, instruments);
  if ('errors' in written) return { outcome: 'unfit', errors: written.errors };
  const parsed = parseDefinition(written.definition);
  if (!parsed.ok)
    return {
      outcome: 'unfit',
      errors: parsed.errors.slice(0, ERRORS_MAX).map(({ path, message }) => `${path} ${message}`),
    };
  const links = linksOf(proposal, conversation.messages);
  const used = links.map(({ span }) => span);
  const differences = differencesOf(read, { definition: parsed.definition, instruments, used }).map(
    (one) => ({
      ...one,
      taken: decisions.find(({ difference }) => difference === one.id)?.take ?? null,
      canTakeHeard: read.definition !== null && read.outcome === 'ready' && one.part !== 'words',
    }),
  );
  const taken = differences
    .filter((one) => one.taken === 'heard' && one.canTakeHeard)
    .map(({ part }) => part);
  const merged = withHeard(parsed.definition, read.definition, taken);
  const isOpen = differences.some(
    (one) => one.taken === null || (one.taken === 'heard' && !one.canTakeHeard),
  );
  const texts = [
    ...conversation.messages,
    ...conversation.answers.flatMap(({ about, says }) => [about, says]),
  ];
  return {
    outcome: isOpen || merged.clash !== null ? 'asks' : 'ready',
    definition: merged.definition,
    strategyType: typeOf(undefined, merged.definition),
    differences,
    assumed: untracedOf(merged.definition, { texts, instruments, read }),
    links,
    clash: merged.clash,
  };
}

/**
 * What is kept of a proposal that was judged fit: what the parser read, and quotes that are the person's own words. No other text of a
 * model reaches anybody.
 */
export function plainProposal(proposal: Proposal, messages: readonly string[]): Proposal {
  const { missing, rule, weighting } = proposal;
  const isWhole = missing === 'nothing';
  const signals = isWhole && rule === 'signals';
  return {
    ...proposal,
    instruments: isWhole ? proposal.instruments : [],
    features: isWhole ? proposal.features : [],
    enter_long: signals ? proposal.enter_long : [],
    exit_long: signals ? proposal.exit_long : [],
    enter_short: signals ? proposal.enter_short : [],
    exit_short: signals ? proposal.exit_short : [],
    ranking: isWhole && rule === 'ranking' ? proposal.ranking : null,
    pair: isWhole && rule === 'pairs' ? proposal.pair : null,
    weighting: { ...weighting, weights: isWhole && weighting.type === 'fixed' ? weighting.weights : [] },
    options: isWhole ? proposal.options : null,
    words: proposal.words.filter(({ quote }) => messages.some((text) => text.includes(quote))),
  };
}

const ERRORS_MAX = 8;

const MISSING_SENTENCES = {
  instruments: 'What does it trade?',
  entry: 'When does it buy?',
  exit: 'When does it sell again?',
  not_a_strategy: 'This does not read as a description of a strategy.',
} as const;

/** Quotes that are in the text, letter by letter; what a model only claims is left out. */
function linksOf({ words }: Proposal, messages: readonly string[]): readonly Link[] {
  return words.flatMap(({ part, quote }) => {
    const wanted = quote.trim();
    if (wanted.length < 2) return [];
    const message = messages.findIndex((text) => text.includes(wanted));
    if (message < 0) return [];
    const from = messages[message]!.indexOf(wanted);
    return [{ part, span: { message, from, to: from + wanted.length } }];
  });
}

/** The proposal with these parts as the grammar read them. A rule brings its measures and its sides. */
function withHeard(
  proposed: StrategyDefinition,
  heard: StrategyDefinition | null,
  parts: readonly string[],
): { readonly definition: StrategyDefinition; readonly clash: string | null } {
  if (heard === null || parts.length === 0) return { definition: proposed, clash: null };
  const roots = new Set(parts.map((part) => part.split('.')[0]!));
  const takes = (...names: readonly string[]) => names.some((name) => roots.has(name));
  const rule = takes('rule', 'direction', 'options') ? heard : proposed;
  const sizes = takes('weighting', 'gross') ? heard : proposed;
  const { options: _, ...rest } = proposed;
  const merged = {
    ...rest,
    ...(takes('universe')
      ? { universe: heard.universe, benchmark: heard.benchmark, periodsPerYear: heard.periodsPerYear }
      : {}),
    ...(takes('schedule') ? { schedule: heard.schedule } : {}),
    rule: rule.rule,
    features: rule.features,
    direction: rule.direction,
    weighting: sizes.weighting,
    gross: sizes.gross,
    exits: takes('exits') ? heard.exits : proposed.exits,
    ...(rule.options === undefined ? {} : { options: rule.options }),
  };
  const parsed = parseDefinition(merged);
  if (parsed.ok) return { definition: parsed.definition, clash: null };
  const [first] = parsed.errors;
  return {
    definition: proposed,
    clash: `What was chosen does not fit together: ${first!.path} ${first!.message}.`,
  };
}
