// What we need of a service with a language model, in our words: one question, one object of a given shape. An adapter promises that
// an object fits the schema, that every other outcome has a name, that it ends within the time asked for and repeats nothing by
// itself, and that its key is in no outcome. Whether the object makes sense is for the caller to judge: it is a stranger's proposal.
import type { Micro } from '#units/money.ts';

export type LanguageModelPort = {
  readonly vendor: string;
  /** The model's ID, as the service knows it. */
  readonly model: string;
  /** Answers by a script and understands nothing. Said wherever a person sees what it answered. */
  readonly isStandIn: boolean;
  readonly prices: TokenPrices;
  ask(question: ModelQuestion): Promise<ModelAnswer>;
};

/** Dollars per million tokens, which is micro-dollars per token. */
export type TokenPrices = { readonly input: number; readonly output: number };

export type ModelMessage = { readonly role: 'person' | 'model'; readonly text: string };

export type ModelQuestion = {
  /** What the model is told before anything is said. It holds no secret: a model may repeat it. */
  readonly instructions: string;
  /** In order; the first and the last are the person's. */
  readonly messages: readonly ModelMessage[];
  readonly schema: ObjectSchema;
  readonly outputTokensMax: number;
  readonly withinMs: number;
};

/** The part of JSON Schema that vendors can enforce: every field required, none besides, no recursion. */
export type ObjectSchema = {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: ValueSchema };
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

export type ValueSchema =
  | ObjectSchema
  | { readonly type: 'array'; readonly items: ValueSchema }
  | { readonly type: 'string'; readonly enum?: readonly string[]; readonly description?: string }
  | { readonly type: 'number' | 'integer' | 'boolean'; readonly description?: string }
  | { readonly anyOf: readonly (ValueSchema | { readonly type: 'null' })[]; readonly description?: string };

export const MODEL_FAILURES = [
  'refused',
  'truncated',
  'malformed',
  'unreachable',
  'too_slow',
  'over_limit',
  'denied',
] as const;
/**
 * refused: the model declines to answer. truncated: the answer was longer than was paid for. malformed: it is no JSON, or does not
 * fit the schema. unreachable: no connection, a broken one, or a fault of the service. too_slow: not within the time. over_limit:
 * the service takes no more for now. denied: it takes nothing of us; the key, the model's ID or the settings are wrong.
 */
export type ModelFailure = (typeof MODEL_FAILURES)[number];

type Spent = {
  /** Null where the service did not say: then what was reserved counts as spent. */
  readonly usage: TokenUsage | null;
  /** The model that answered, by its own account; null where it did not say. */
  readonly answeredBy: string | null;
};

export type TokenUsage = { readonly input: number; readonly output: number; readonly cost: Micro };

export type ModelAnswer = Spent &
  (
    | { readonly outcome: 'object'; readonly object: unknown }
    | {
        readonly outcome: ModelFailure;
        /** For the log and for a repair: a status, or the place that does not fit. Never a key, never the vendor's prose. */
        readonly detail: string;
        /** Of over_limit, where the service said it. */
        readonly retryAfterMs?: number;
      }
  );
