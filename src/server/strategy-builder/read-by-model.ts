// Has a conversation read by a language model: the parser judges each proposal, and its own sentences go back for a repair, a few times
// and within a minute. Each call is counted before it is made and settled after it.
import { createHash, randomUUID } from 'node:crypto';
import type { LanguageModelPort, ModelAnswer, ModelMessage } from '#ports/language-model.ts';
import type { Database } from '#records/postgres/database.ts';
import { reserveCall, settleCall, type Spending } from '#records/strategy-builder/model-readings.ts';
import type { GrammarReason } from '#rules/strategy-builder/model-sentences.ts';
import {
  asDescription,
  asMisfit,
  asRepair,
  proposalInstructions,
} from '#rules/strategy-builder/proposal/instructions.ts';
import { judgeProposal, plainProposal } from '#rules/strategy-builder/proposal/judge-proposal.ts';
import { type Proposal, PROPOSAL_SCHEMA } from '#rules/strategy-builder/proposal/proposal-shape.ts';
import { type Conversation, conversationText } from '#rules/strategy-builder/reading/conversation.ts';
import type { NamedInstrument } from '#rules/strategy-builder/reading/market-names.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';

type LanguageModel = NonNullable<Dependencies['languageModel']>;

export type ReadByModel = {
  readonly readingId: string;
  readonly promptHash: string;
} & (
  | { readonly readBy: 'model'; readonly proposal: Proposal }
  | { readonly readBy: 'grammar'; readonly because: GrammarReason }
);

type Asking = {
  readonly userId: UserId;
  readonly conversation: Conversation;
  readonly instruments: readonly NamedInstrument[];
};

type At = {
  readonly database: Database;
  readonly model: LanguageModel;
  readonly now: () => Instant;
};

const ROUNDS_MAX = 3;
const OUTPUT_TOKENS_MAX = 4_000;
const CALL_WITHIN_MS = 25_000;
const ALL_WITHIN_MS = 45_000;

export async function readByModel(asking: Asking, at: At): Promise<ReadByModel> {
  const { conversation, instruments } = asking;
  const instructions = proposalInstructions(instruments);
  const read = readStrategy(conversation, instruments);
  const promptHash = createHash('sha256')
    .update(instructions)
    .update(JSON.stringify(PROPOSAL_SCHEMA))
    .digest('hex');
  const reading = { readingId: randomUUID(), promptHash };
  const messages: ModelMessage[] = [{ role: 'person', text: asDescription(conversationText(conversation)) }];
  const startedAt = performance.now();
  let because: GrammarReason = 'unfit';
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const withinMs = Math.min(CALL_WITHIN_MS, ALL_WITHIN_MS - (performance.now() - startedAt));
    if (withinMs < 1_000) return { ...reading, readBy: 'grammar', because: 'too_slow' };
    const question = { instructions, messages, withinMs, ...FORM };
    const answer = await ask({ ...asking, ...reading, round, question }, at);
    if (typeof answer === 'string') return { ...reading, readBy: 'grammar', because: answer };
    if (answer.outcome !== 'object' && answer.outcome !== 'malformed')
      return { ...reading, readBy: 'grammar', because: answer.outcome };
    let errors: readonly string[];
    if (!('object' in answer)) {
      because = 'malformed';
      errors = [asMisfit(answer.detail)];
    } else {
      const proposal = answer.object as Proposal;
      const judged = judgeProposal(proposal, { conversation, instruments, read, decisions: [] });
      if (judged.outcome !== 'unfit') {
        const plain = plainProposal(proposal, conversation.messages);
        return { ...reading, readBy: 'model', proposal: plain };
      }
      because = 'unfit';
      errors = judged.errors;
      messages.push({ role: 'model', text: JSON.stringify(proposal).slice(0, ECHO_MAX) });
    }
    // Two messages of one side would be one to some services.
    const repair = asRepair(errors);
    const last = messages.at(-1)!;
    if (last.role === 'model') messages.push({ role: 'person', text: repair });
    else messages[messages.length - 1] = { role: 'person', text: `${last.text}\n\n${repair}` };
  }
  return { ...reading, readBy: 'grammar', because };
}

const FORM = { schema: PROPOSAL_SCHEMA, outputTokensMax: OUTPUT_TOKENS_MAX } as const;
const ECHO_MAX = 20_000;

type Round = {
  readonly userId: UserId;
  readonly readingId: string;
  readonly promptHash: string;
  readonly round: number;
  readonly question: Parameters<LanguageModelPort['ask']>[0];
};

/** Counted, asked, settled. No connection to the database is held while the service thinks. */
async function ask(
  { userId, readingId, promptHash, round, question }: Round,
  { database, model, now }: At,
): Promise<ModelAnswer | keyof Spending> {
  const { port, daily } = model;
  const { messages, instructions, outputTokensMax } = question;
  const id = randomUUID();
  const characters =
    instructions.length + SCHEMA_CHARACTERS + messages.reduce((sum, { text }) => sum + text.length, 0);
  const input = Math.ceil(characters / CHARACTERS_OF_A_TOKEN);
  const reserved = {
    tokens: input + outputTokensMax,
    money: Math.ceil(input * port.prices.input + outputTokensMax * port.prices.output) as Micro,
  };
  const asked = now();
  const counted = await reserveCall(
    database,
    { id, userId, readingId, round, messages, promptHash, reserved, at: asked },
    { daily, from: dayOf(asked) },
  );
  if (counted !== 'reserved') return counted;
  const answer = await port.ask(question);
  await settleCall(database, {
    callId: id,
    userId,
    outcome: answer.outcome,
    detail: answer.outcome === 'object' ? null : answer.detail,
    answeredBy: answer.answeredBy?.slice(0, 200) ?? null,
    usage: answer.usage,
    object: answer.outcome === 'object' ? answer.object : null,
    at: now(),
  });
  return answer;
}

/** Fewer than any tokenizer makes of English and JSON, so that what is reserved is enough. */
const CHARACTERS_OF_A_TOKEN = 2;
const SCHEMA_CHARACTERS = JSON.stringify(PROPOSAL_SCHEMA).length;

/** A person's day begins at midnight, UTC. */
export function dayOf(at: Instant): Instant {
  return (at - (at % DAY_MS)) as Instant;
}
