// The decider rule of a definition.
import { type IsoDate, isDay } from '#units/instant.ts';
import { join, type Reader } from '../strategy/parsing/reader.ts';
import type { DeciderRule } from './decider-rule.ts';

export function parseDecider(reader: Reader, value: unknown, path: string): DeciderRule {
  const given = reader.fields(value, path, FIELDS) ?? {};
  const at = (name: string) => join(path, name);
  const asks = reader.oneOf(given['asks'], at('asks'), ['language_model', 'time_series']);
  const model = reader.text(given['model'], at('model'), { min: 1, max: 120 });
  if (model !== '' && !MODEL.test(model))
    reader.fail(at('model'), 'must be the ID of a model: letters, digits and . _ : / @ -');
  const knowledgeUntil = reader.text(given['knowledgeUntil'], at('knowledgeUntil'), { min: 10, max: 10 });
  if (knowledgeUntil !== '' && !isDay(knowledgeUntil))
    reader.fail(at('knowledgeUntil'), 'must be a day as YYYY-MM-DD');
  if (asks === 'language_model' && given['closes'] !== undefined)
    reader.fail(at('closes'), 'belong to a time-series model');
  return {
    type: 'decider',
    asks,
    model,
    knowledgeUntil: knowledgeUntil as IsoDate,
    instructions: reader.text(given['instructions'], at('instructions'), { min: 1, max: 4_000 }),
    ...(asks === 'time_series' && {
      closes: reader.whole(given['closes'] ?? 60, at('closes'), { min: 2, max: 512 }),
    }),
    samples: reader.whole(given['samples'] ?? 1, at('samples'), { min: 1, max: 9 }),
    outputTokensMax: reader.whole(given['outputTokensMax'] ?? 2_000, at('outputTokensMax'), {
      min: 50,
      max: 20_000,
    }),
    withinSeconds: reader.whole(given['withinSeconds'] ?? 30, at('withinSeconds'), { min: 1, max: 600 }),
    dollarsPerMonth: reader.number(given['dollarsPerMonth'], at('dollarsPerMonth'), { min: 0, max: 10_000 }),
    withoutAnswer: reader.oneOf(given['withoutAnswer'], at('withoutAnswer'), ['hold', 'flat']),
  };
}

const FIELDS = [
  'type',
  'asks',
  'model',
  'knowledgeUntil',
  'instructions',
  'closes',
  'samples',
  'outputTokensMax',
  'withinSeconds',
  'dollarsPerMonth',
  'withoutAnswer',
];
const MODEL = /^[\w.:/@-]+$/;
