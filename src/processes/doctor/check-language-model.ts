// The language model: whether it answers us by a schema. One tiny question, which costs a few hundred tokens.
import type { LanguageModelPort } from '#ports/language-model.ts';
import { type Finding, fit, unfit } from './finding.ts';

export async function checkLanguageModel(model: LanguageModelPort | null): Promise<Finding> {
  if (model === null) return fit('language model', 'no LANGUAGE_MODEL: the grammar reads descriptions alone');
  const name = `${model.model} at ${model.vendor}`;
  const answer = await model.ask({
    instructions: 'Answer with the word that is asked for.',
    messages: [{ role: 'person', text: 'The word is: ready' }],
    schema: {
      type: 'object',
      properties: { word: { type: 'string', enum: ['ready'] } },
      required: ['word'],
      additionalProperties: false,
    },
    outputTokensMax: 1_000,
    withinMs: 30_000,
  });
  if (answer.outcome === 'object')
    return model.isStandIn
      ? fit('language model', `${name} answers; it is a stand-in, no language model`)
      : fit('language model', `${name} answers by a schema`);
  const { outcome, detail } = answer;
  const wayOut =
    outcome === 'denied'
      ? 'check LANGUAGE_MODEL_KEY, LANGUAGE_MODEL_ID and LANGUAGE_MODEL_URL'
      : outcome === 'unreachable' || outcome === 'too_slow'
        ? 'check LANGUAGE_MODEL_URL and whether the service is up'
        : outcome === 'over_limit'
          ? 'the account at the service has no more to spend for now'
          : 'this model does not answer by schemas: set another LANGUAGE_MODEL_ID';
  return unfit('language model', `${name} does not answer (${outcome}, ${detail}): ${wayOut}`);
}
