// The chat protocol of OpenAI, which most vendors and local servers speak: a base address, and a key where the server wants one.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelPort } from '#ports/language-model.ts';
import { askModel, type ModelOptions, withoutRedirects } from '../ask-model.ts';

type CompatibleOptions = ModelOptions & { readonly url: string };

export function openaiCompatibleModel({
  model,
  isStandIn,
  prices,
  key,
  url,
}: CompatibleOptions): LanguageModelPort {
  const asked = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: url,
    ...(key === null ? {} : { apiKey: key }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: withoutRedirects,
  }).languageModel(model);
  return {
    vendor: 'openai-compatible',
    model,
    isStandIn,
    prices,
    ask: (question) => askModel(asked, question, prices),
  };
}
