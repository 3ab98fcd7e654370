// The model section of a strategy definition: bounded, in order, and naming only features that are declared.
import { type IsoDate, isDay } from '#units/instant.ts';
import { join, type Reader } from '../strategy/parsing/reader.ts';
import type { ModelSection, ModelWindow } from './model-section.ts';

export function parseModel(reader: Reader, value: unknown, features: readonly string[]): ModelSection {
  const given = reader.fields(value, 'model', ['inputs', 'scaling', 'output', 'windows']) ?? {};
  const inputs = reader.list(given['inputs'], 'model.inputs', { min: 1, max: MAX_INPUTS }).map((one, i) => {
    if (features.length > 0) return reader.oneOf(one, join('model.inputs', i), features);
    reader.fail(join('model.inputs', i), 'must name a feature, and none is declared');
    return '';
  });
  if (new Set(inputs).size !== inputs.length) reader.fail('model.inputs', 'names a feature twice');
  const output = reader.text(given['output'], 'model.output', { min: 1, max: 40 });
  if (!NAME.test(output) || features.includes(output) || PRICES.includes(output)) {
    reader.fail(
      'model.output',
      'must be a name of its own: small letters, digits and _, no feature, no price',
    );
  }
  const windows = reader
    .list(given['windows'], 'model.windows', { min: 1, max: MAX_WINDOWS })
    .map((one, i) => parseWindow(reader, one, join('model.windows', i)));
  for (let i = 1; i < windows.length; i++) {
    if (windows[i]!.from <= windows[i - 1]!.from)
      reader.fail(join('model.windows', i), 'must begin after the window before it');
  }
  const scaling = reader.oneOf(given['scaling'] ?? 'none', 'model.scaling', ['none', 'cross_section']);
  return { inputs, scaling, output, windows };
}

function parseWindow(reader: Reader, value: unknown, path: string): ModelWindow {
  const given = reader.fields(value, path, ['from', 'file', 'sha256']) ?? {};
  const from = reader.text(given['from'], join(path, 'from'), { min: 10, max: 10 });
  if (!isDay(from)) reader.fail(join(path, 'from'), 'must be a day as YYYY-MM-DD');
  const file = reader.text(given['file'], join(path, 'file'), { min: 1, max: 120 });
  if (!FILE.test(file)) reader.fail(join(path, 'file'), 'must be a path such as folder/2020.onnx');
  const sha256 = reader.text(given['sha256'], join(path, 'sha256'), { min: 64, max: 64 });
  if (!HASH.test(sha256)) reader.fail(join(path, 'sha256'), 'must be a SHA-256 in small hexadecimal');
  return { from: from as IsoDate, file, sha256 };
}

const MAX_INPUTS = 64;
const MAX_WINDOWS = 40;
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** No dots but the last, so that a path never climbs out of its folder. */
const FILE = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*\.onnx$/;
const HASH = /^[0-9a-f]{64}$/;
const PRICES = ['open', 'high', 'low', 'close', 'volume'];
