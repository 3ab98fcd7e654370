// One decision of a model: opened in the record, asked, recorded, closed. Nothing is asked before the record says so, nothing is asked
// twice, and nothing but the record decides: after a crash the next one finds what was asked, waits for its time, and closes it.
import { agreement, decide, readAnswer } from '#engine/decider/read-answer.ts';
import type { DeciderRule } from '#engine/decider/decider-rule.ts';
import type { DecisionQuestion, QuestionForm } from '#engine/decider/decision-questions.ts';
import type { LanguageModelPort, ModelQuestion } from '#ports/language-model.ts';
import {
  claimAnswer,
  closeDecision,
  type DecisionKey,
  openDecision,
  settleAnswer,
  type SettledAnswer,
} from '#records/deciders/model-decisions.ts';
import type { Database } from '#records/postgres/database.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { SECOND_MS } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { msBetween, wallAfter, type WallInstant } from '#units/wall-instant.ts';

export type DecidingTools = {
  readonly database: Database;
  /** The models that can be asked; each by its ID. */
  readonly deciders: readonly LanguageModelPort[];
  readonly realNow: () => WallInstant;
};

export type AskedDecision = {
  readonly versionId: StrategyVersionId;
  readonly form: QuestionForm;
  readonly rule: DeciderRule;
  readonly direction: 'long' | 'long_short';
  readonly question: DecisionQuestion;
};

/** Ends when the decision is closed, or with 'open' where an answer that somebody else asked for may still come. */
export async function makeDecision(tools: DecidingTools, asked: AskedDecision): Promise<'closed' | 'open'> {
  const { database, deciders, realNow } = tools;
  const { rule, question } = asked;
  const key: DecisionKey = { versionId: asked.versionId, form: asked.form, asOf: question.asOf };
  const model = deciders.find((one) => one.model === rule.model) ?? null;
  const now = realNow();
  const opened = await openDecision(database, key, {
    promptHash: question.hash,
    vendor: model?.vendor ?? null,
    model: rule.model,
    isStandIn: model?.isStandIn ?? false,
    knowledgeUntil: rule.knowledgeUntil,
    askedAt: now,
    closesAt: wallAfter(now, rule.withinSeconds * SECOND_MS),
  });
  if (opened.isClosed) return 'closed';
  const samples = Array.from({ length: rule.samples }, (_, i) => i + 1);
  await Promise.all(samples.map((sample) => askOnce(tools, asked, { key, model, sample, ...opened })));
  return closeDecision(database, key, {
    samples: rule.samples,
    isOver: msBetween(opened.closesAt, realNow()) >= 0,
    at: realNow(),
    close(proposals) {
      const shares = decide(proposals);
      return {
        weights:
          shares && Object.fromEntries(question.instruments.map(({ symbol }, i) => [symbol, shares[i]!])),
        agreement: agreement(proposals),
      };
    },
  });
}

type Asking = {
  readonly key: DecisionKey;
  readonly model: LanguageModelPort | null;
  readonly sample: number;
  readonly closesAt: WallInstant;
};

async function askOnce(tools: DecidingTools, asked: AskedDecision, asking: Asking): Promise<void> {
  const { database, realNow } = tools;
  const { key, model, sample, closesAt } = asking;
  const withinMs = msBetween(realNow(), closesAt);
  if (withinMs <= 0) return;
  const sent: ModelQuestion = {
    instructions: asked.question.instructions,
    messages: [
      { role: 'person', text: `${asked.question.text}\n\nAnswer ${sample} of ${asked.rule.samples}.` },
    ],
    schema: asked.question.schema,
    outputTokensMax: asked.rule.outputTokensMax,
    withinMs,
  };
  const claim = await claimAnswer(database, key, {
    sample,
    reserved: model === null ? (0 as Micro) : mostOf(sent, model),
    budget: toMicro(asked.rule.dollarsPerMonth),
    at: realNow(),
  });
  if (claim !== 'claimed') return;
  const answer = model === null ? NO_MODEL : await ask(model, asked, sent);
  await settleAnswer(database, key, { ...answer, sample, at: realNow() });
}

type Answered = Omit<SettledAnswer, 'sample' | 'at'>;

async function ask(
  model: LanguageModelPort,
  { rule, direction, question }: AskedDecision,
  sent: ModelQuestion,
): Promise<Answered> {
  const answer = await model.ask(sent);
  const { answeredBy, usage } = answer;
  const spent = { answeredBy, usage, proposed: null };
  if (answer.outcome !== 'object')
    return { ...spent, outcome: answer.outcome, detail: answer.detail, object: undefined };
  const { object } = answer;
  // A service that answers by another model has changed the strategy: the definition names the one that was tested.
  if (answeredBy !== null && answeredBy !== rule.model)
    return { ...spent, outcome: 'other_model', detail: null, object };
  const proposed = readAnswer({ rule, direction, instruments: question.instruments }, object);
  if (typeof proposed === 'string') return { ...spent, outcome: 'malformed', detail: proposed, object };
  return { ...spent, outcome: 'object', detail: null, object, proposed };
}

/** What an answer can cost at most: no byte of a question is more than one token. */
function mostOf(
  { instructions, messages, schema, outputTokensMax }: ModelQuestion,
  { prices }: LanguageModelPort,
): Micro {
  const bytes = Buffer.byteLength(JSON.stringify([instructions, messages, schema]));
  return Math.ceil(bytes * prices.input + outputTokensMax * prices.output) as Micro;
}

const NO_MODEL: Answered = {
  outcome: 'no_model',
  detail: null,
  answeredBy: null,
  usage: null,
  object: undefined,
  proposed: null,
};
