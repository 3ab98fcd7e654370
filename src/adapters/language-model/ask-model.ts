// One question to a language model through the model interface of the AI SDK: the vendors' packages speak the protocols, this reads
// the stream, ends it in time, and names how it ended.
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type {
  LanguageModelPort,
  ModelAnswer,
  ModelFailure,
  ModelQuestion,
  TokenUsage,
} from '#ports/language-model.ts';
import type { Micro } from '#units/money.ts';
import { misfitOf } from './misfit-of.ts';

export type ModelOptions = Pick<LanguageModelPort, 'model' | 'isStandIn' | 'prices'> & {
  readonly key: string | null;
  /** Null: the vendor's own address. */
  readonly url: string | null;
};

export async function askModel(
  model: LanguageModelV4,
  question: ModelQuestion,
  prices: LanguageModelPort['prices'],
): Promise<ModelAnswer> {
  const ending = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, question.withinMs);
  const heard: Heard = { text: '', finish: null, usage: null, answeredBy: null };
  try {
    const { stream } = await model.doStream({ ...callOf(question), abortSignal: ending.signal });
    const over = await listen(stream, heard, question.outputTokensMax);
    // Nobody listens any longer: the connection ends, and with it what it costs.
    ending.abort();
    return { ...spentOf(heard, prices), ...(over ?? judge(heard, question)) };
  } catch (error) {
    if (isLate) return { ...spentOf(heard, prices), outcome: 'too_slow', detail: 'late' };
    // Services charge nothing for a request that they answer with an error.
    if (isErrorStatus(error)) heard.usage = { input: 0, output: 0 };
    return { ...spentOf(heard, prices), ...failureOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Redirects would carry the key to another address. */
export const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

type Heard = {
  text: string;
  finish: string | null;
  usage: { readonly input: number; readonly output: number } | null;
  answeredBy: string | null;
};

type Failed = {
  readonly outcome: ModelFailure;
  readonly detail: string;
  readonly retryAfterMs?: number;
};

function callOf({ instructions, messages, schema, outputTokensMax }: ModelQuestion) {
  return {
    prompt: [
      { role: 'system' as const, content: instructions },
      ...messages.map(({ role, text }) =>
        role === 'person'
          ? { role: 'user' as const, content: [{ type: 'text' as const, text }] }
          : { role: 'assistant' as const, content: [{ type: 'text' as const, text }] },
      ),
    ],
    maxOutputTokens: outputTokensMax,
    // The SDK's type of a schema has arrays that could be changed.
    responseFormat: { type: 'json' as const, schema: schema as unknown as SdkSchema, name: 'answer' },
  };
}

type SdkSchema = NonNullable<
  Extract<LanguageModelV4CallOptions['responseFormat'], { readonly type: 'json' }>['schema']
>;

/** Null at the stream's own end. */
async function listen(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  heard: Heard,
  outputTokensMax: number,
): Promise<Failed | null> {
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'response-metadata') heard.answeredBy = part.modelId ?? heard.answeredBy;
    if (part.type === 'text-delta') heard.text += part.delta;
    if (part.type === 'finish') {
      heard.finish = part.finishReason.unified;
      const [input, output] = [part.usage.inputTokens.total, part.usage.outputTokens.total];
      heard.usage = input === undefined || output === undefined ? null : { input, output };
    }
    if (heard.text.length > outputTokensMax * CHARACTERS_OF_A_TOKEN)
      return { outcome: 'truncated', detail: 'too long' };
  }
  return null;
}

/** More than any tokenizer puts into one, on average. */
const CHARACTERS_OF_A_TOKEN = 10;

function judge(
  { text, finish }: Heard,
  { schema }: ModelQuestion,
): Failed | { readonly outcome: 'object'; readonly object: unknown } {
  if (finish === 'content-filter') return { outcome: 'refused', detail: 'declined' };
  if (finish === 'length') return { outcome: 'truncated', detail: 'too long' };
  // Services that break off say nothing, or that it was something else.
  if (finish !== 'stop') return { outcome: 'unreachable', detail: 'broken off' };
  let object: unknown;
  try {
    object = JSON.parse(text);
  } catch {
    return { outcome: 'malformed', detail: 'not JSON' };
  }
  const misfit = misfitOf(object, schema, 'answer');
  return misfit === null ? { outcome: 'object', object } : { outcome: 'malformed', detail: misfit };
}

function spentOf({ usage, answeredBy }: Heard, prices: LanguageModelPort['prices']) {
  const cost = usage && (Math.ceil(usage.input * prices.input + usage.output * prices.output) as Micro);
  return { usage: usage && ({ ...usage, cost } as TokenUsage), answeredBy };
}

function isErrorStatus(error: unknown): boolean {
  return APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400;
}

function failureOf(error: unknown): Failed {
  if (!APICallError.isInstance(error)) return { outcome: 'unreachable', detail: 'no connection' };
  const { statusCode } = error;
  if (statusCode === undefined || statusCode < 400) return { outcome: 'unreachable', detail: 'no answer' };
  const detail = `status ${statusCode}`;
  if (statusCode === 429) return { outcome: 'over_limit', detail, ...retryAfter(error.responseHeaders) };
  return { outcome: statusCode >= 500 || statusCode === 408 ? 'unreachable' : 'denied', detail };
}

function retryAfter(headers: Record<string, string> | undefined): { readonly retryAfterMs?: number } {
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: Math.round(seconds * 1_000) } : {};
}
