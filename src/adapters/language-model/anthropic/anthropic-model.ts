// Anthropic's protocol: the Messages API. The package asks for structured output where the model has it, and has the schema answered
// as a forced call of a tool where it has not; no tool does anything.
import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelPort } from '#ports/language-model.ts';
import { askModel, type ModelOptions, withoutRedirects } from '../ask-model.ts';

export function anthropicModel({ model, isStandIn, prices, key, url }: ModelOptions): LanguageModelPort {
  const asked = createAnthropic({
    // Without one the package would look for a key of its own in the environment.
    apiKey: key ?? '',
    baseURL: url ?? 'https://api.anthropic.com/v1',
    fetch: withoutRedirects,
  }).languageModel(model);
  return {
    vendor: 'anthropic',
    model,
    isStandIn,
    prices,
    ask: (question) => askModel(asked, question, prices),
  };
}
