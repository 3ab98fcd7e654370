import { z } from 'zod';
import { QUESTION_FORMS } from '#engine/decider/decision-questions.ts';
import { MODEL_ROLES } from '#rules/strategies/model-role.ts';

/**
 * decides: each decision is the answer of a model. wrote_rules: a model wrote rules, which decide without it. column: the score of a
 * trained model is a number that the rules read. none: no model.
 */
export const modelRole = z.enum(MODEL_ROLES);

const fraction = z.number().nullable();

/** A model that decides: what is fixed of it, and the record of its answers. */
export const decider = z
  .object({
    asks: z.enum(['language_model', 'time_series']),
    model: z.string(),
    /** It answers by a rule, and is no model. */
    is_stand_in: z.boolean(),
    /** The last day that it may have learned from: what came until then is no evidence. */
    knowledge_until: z.string(),
    without_answer: z.enum(['hold', 'flat']),
    /** What is fixed, in words. */
    lines: z.array(z.object({ title: z.string(), text: z.string() })),
    decisions: z.number().int(),
    answered: z.number().int(),
    /** Dollars, of all its answers: the published record pays them. */
    cost: z.number(),
    /** How alike the answers to one question are, from 0 to 1. */
    agreement: fraction,
    /** The record replayed in each form of the question. Percent a year. */
    probes: z.array(
      z.object({
        form: z.enum(QUESTION_FORMS),
        name: z.string(),
        decisions: z.number().int(),
        /** Of the days that the model may know. */
        known_annual_return: fraction,
        annual_return: fraction,
        sharpe_ratio: fraction,
        /** The part of the money that is where the plain decisions put it, from 0 to 1. */
        alike: fraction,
        agreement: fraction,
      }),
    ),
    newest: z.array(
      z.object({
        as_of: z.string(),
        /** Real clock. */
        asked_at: z.string(),
        prompt_hash: z.string(),
        weights: z.record(z.string(), z.number()).nullable(),
        /** Dollars. */
        cost: z.number(),
        agreement: fraction,
        /** Why answers are none, in words. */
        failures: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'Decider' });

export type Decider = z.infer<typeof decider>;
