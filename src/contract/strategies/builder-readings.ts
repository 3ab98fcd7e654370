import { z } from 'zod';
import { DESCRIPTION_MAX, FURTHER_MAX, SENTENCE_MAX } from '#rules/strategy-builder/builder-input.ts';
import { MODEL_OUTCOMES } from '#rules/strategy-builder/model-sentences.ts';
import { endpoint, idParams } from '../http/endpoint.ts';
import { ROUTES } from '../http/route.ts';
import { backtestJob } from './backtests.ts';
import { strategyDraft } from './strategy-drafts.ts';

/** What a person says to the builder: a description, sentences after it, and answers to questions about words. */
export const saidFields = {
  description: z
    .string('Describe the strategy')
    .max(DESCRIPTION_MAX, `Use at most ${DESCRIPTION_MAX} characters`),
  /** Said after it, each a correction of what came before. */
  further: z
    .array(z.string('Must be text').max(SENTENCE_MAX, `Use at most ${SENTENCE_MAX} characters`))
    .max(FURTHER_MAX, `At most ${FURTHER_MAX} further sentences`)
    .optional(),
  /** What is meant by words that were asked about; empty leaves them out. */
  answers: z
    .array(
      z.strictObject({
        about: z.string('Must be text').min(1, 'Name the words').max(SENTENCE_MAX, 'Too long'),
        says: z.string('Must be text').max(SENTENCE_MAX, 'Too long'),
      }),
    )
    .max(FURTHER_MAX, `At most ${FURTHER_MAX} answers`)
    .optional(),
};

/** A reading to build from, and what was decided where it differs from the grammar's. */
export const readingFields = {
  reading: z.uuid('Give the id of a reading').optional(),
  decisions: z
    .array(
      z.strictObject({
        difference: z.string('Name the difference').min(1, 'Name the difference').max(1_000, 'Too long'),
        take: z.enum(['heard', 'proposed'], 'Choose heard or proposed'),
      }),
    )
    .max(100, 'At most 100 decisions')
    .optional(),
};

const spent = z.object({
  calls: z.number().int(),
  tokens: z.number().int(),
  /** Dollars. */
  money: z.number(),
});

const builderModel = z
  .object({
    /** Null where the grammar reads alone. */
    model: z
      .object({
        vendor: z.string(),
        model: z.string(),
        /** It answers by a script, and is no language model. */
        is_stand_in: z.boolean(),
        /** What one person may spend in a day (UTC), and what you have spent today. */
        daily: spent,
        spent,
      })
      .nullable(),
  })
  .meta({ id: 'BuilderModel' });

const reading = z
  .object({
    id: z.string(),
    messages: z.array(z.string()),
    answers: z.array(z.object({ about: z.string(), says: z.string() })),
    /** Whose reading stands. */
    read_by: z.enum(['model', 'grammar']),
    /** Why it is the grammar's, as a sentence; null where it is the model's. */
    because: z.string().nullable(),
    vendor: z.string(),
    model: z.string(),
    is_stand_in: z.boolean(),
    /** SHA-256 of what the model is told before the text. */
    prompt_hash: z.string(),
    /** What the model proposed, in its own form; it is judged again wherever it is used. */
    proposal: z.unknown(),
    calls: z.array(
      z.object({
        round: z.number().int(),
        outcome: z.enum(MODEL_OUTCOMES).nullable(),
        tokens_in: z.number().int().nullable(),
        tokens_out: z.number().int().nullable(),
        /** Dollars; what was reserved, where the service did not say what it used. */
        cost: z.number(),
        at: z.string(),
      }),
    ),
    created_at: z.string(),
  })
  .meta({ id: 'BuilderReading' });

export type BuilderReading = z.infer<typeof reading>;

const draftWords = z
  .object({
    version: z.number().int(),
    messages: z.array(z.string()),
    answers: z.array(z.object({ about: z.string(), says: z.string() })),
    /** Null where the grammar read them. */
    reading: reading.nullable(),
    decisions: z.array(z.object({ difference: z.string(), take: z.enum(['heard', 'proposed']) })),
    said_at: z.string(),
  })
  .meta({ id: 'DraftWords' });

const room = { room: 'strategy-builder', security: 'bearer' } as const;

export const builderReadingEndpoints = {
  getBuilderModel: endpoint(ROUTES.getBuilderModel, {
    ...room,
    summary: 'Which language model can read descriptions, and what you have spent on it today',
    description: 'Without a model, descriptions are read by the grammar alone.',
    status: 200,
    answer: builderModel,
    refusals: [],
  }),
  createBuilderReading: endpoint(ROUTES.createBuilderReading, {
    ...room,
    summary: 'Have a description read by the language model',
    description:
      'Answers within a minute, also when the model does not: read_by then says that the reading of the grammar stands, and because says why. Nothing is built. The calls are kept with their cost, and count towards your day.',
    body: z.strictObject(saidFields).meta({ id: 'CreateBuilderReadingRequest' }),
    status: 201,
    answer: reading,
    refusals: ['plan_limit', 'description_unclear', 'not_found'],
  }),
  getBuilderReading: endpoint(ROUTES.getBuilderReading, {
    ...room,
    summary: 'One of your readings by the language model',
    description: 'With all that was said, what was answered, and what it cost.',
    params: idParams,
    status: 200,
    answer: reading,
    refusals: ['not_found'],
  }),
  listDraftWords: endpoint(ROUTES.listDraftWords, {
    ...room,
    summary: 'What was said about your draft, version by version',
    description: 'Newest first. Versions that were made without words are left out.',
    params: idParams,
    status: 200,
    answer: z.array(draftWords),
    refusals: ['not_found'],
  }),
  reviseStrategy: endpoint(ROUTES.reviseStrategy, {
    ...room,
    summary: 'Change your draft by sentences: a new version, backtested, counted as a try',
    description:
      'Takes the whole conversation, as buildStrategy does. The same rules change nothing. The rules of a deployed draft stay as they are: ask for a copy.',
    params: idParams,
    body: z
      .strictObject({
        ...saidFields,
        ...readingFields,
        /** Makes a draft of its own, where a deployment trades these rules. */
        copy: z.boolean('Must be true or false').optional(),
      })
      .meta({ id: 'ReviseStrategyRequest' }),
    status: 200,
    answer: z
      .object({ draft: strategyDraft, backtest: backtestJob.nullable() })
      .meta({ id: 'RevisedStrategy' }),
    refusals: ['not_found', 'in_use', 'draft_limit', 'definition_invalid', 'description_unclear'],
  }),
} as const;
