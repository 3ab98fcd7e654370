import { anthropicModel } from '#adapters/language-model/anthropic/anthropic-model.ts';
import { openaiCompatibleModel } from '#adapters/language-model/openai-compatible/openai-compatible-model.ts';
import type { LanguageModelPort } from '#ports/language-model.ts';
import type { Environment } from '../environment/environment.ts';

/** Null where none is set: the grammar reads alone. */
export function connectLanguageModel({
  languageModel,
}: Pick<Environment, 'languageModel'>): LanguageModelPort | null {
  if (languageModel === null) return null;
  const { vendor, model, key, url, prices } = languageModel;
  // The stand-in's only model has this name.
  const options = { model, key, prices, isStandIn: model === 'stand-in' };
  return vendor === 'openai-compatible' && url !== null
    ? openaiCompatibleModel({ ...options, url })
    : anthropicModel({ ...options, url });
}
