// The published files are the ones that training produces.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { signalSeries } from '#engine/market/signal-bars.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { instantOfDate } from '#units/instant.ts';
import { onnxFile } from './onnx/onnx-file.ts';
import { RECIPES } from './recipes.ts';
import { definitionOf, labelPlan } from './train-model.ts';
import { trainingHistory } from './training-history.ts';
import { trainingSet } from './training-set.ts';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file));
const series = signalSeries(trainingHistory().series);

describe.each(RECIPES.map((recipe) => [recipe.name, recipe] as const))('%s', (name, recipe) => {
  const parsed = parseDefinition(JSON.parse(read(`${name}/definition.json`).toString()));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { definition } = parsed;
  const { windows } = definition.model!;

  it('has a definition that is the recipe with the hashes of its files', () => {
    for (const { file, sha256 } of windows) {
      expect(createHash('sha256').update(read(file)).digest('hex')).toBe(sha256);
    }
    expect(parseDefinition(definitionOf(recipe, windows))).toEqual({ ok: true, definition });
  });

  it('is trained to the same bytes again from the market of the seed', () => {
    const { from, file } = windows[0]!;
    const set = trainingSet(labelPlan(recipe), series, instantOfDate(from));
    expect(read(file).equals(onnxFile(recipe.fit(set)))).toBe(true);
  });

  it('has a card that names every window, when its training ended, and its weaknesses', () => {
    const card = JSON.parse(read(`${name}/card.json`).toString()) as {
      windows: { scoresFrom: string; sha256: string; trainedOnBarsTo: string }[];
      weaknesses: string[];
    };
    expect(card.windows.map(({ scoresFrom, sha256 }) => [scoresFrom, sha256])).toEqual(
      windows.map(({ from, sha256 }) => [from, sha256]),
    );
    for (const { scoresFrom, trainedOnBarsTo } of card.windows) {
      expect(instantOfDate(trainedOnBarsTo)).toBeLessThan(instantOfDate(scoresFrom));
    }
    expect(card.weaknesses.length).toBeGreaterThan(3);
  });
});
