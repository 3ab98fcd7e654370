// Walk-forward training: for each year one model, trained on everything that was known before it, written as one file.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { signalSeries } from '#engine/market/signal-bars.ts';
import type { ModelSection, ModelWindow } from '#engine/model/model-section.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import { type Instant, instantOfDate, type IsoDate, utcDate } from '#units/instant.ts';
import { onnxFile } from './onnx/onnx-file.ts';
import type { Recipe } from './recipe.ts';
import { type LabelPlan, type TrainingSet, trainingSet } from './training-set.ts';

export type TrainedWindow = ModelWindow & {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly firstClose: IsoDate;
  readonly lastClose: IsoDate;
};

/** Learns from prices as signals read them, without the jumps of splits. */
export function trainModel(recipe: Recipe, quoted: SeriesBySymbol): TrainedWindow[] {
  const series = signalSeries(quoted);
  return WINDOWS.map((from) =>
    trainWindow(recipe, trainingSet(labelPlan(recipe), series, instantOfDate(from)), from),
  );
}

function trainWindow(recipe: Recipe, set: TrainingSet, from: IsoDate): TrainedWindow {
  const bytes = onnxFile(recipe.fit(set));
  return {
    from,
    file: `${recipe.name}/${from.slice(0, 4)}.onnx`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes,
    rows: set.count,
    firstClose: dayOf(set.firstClose),
    lastClose: dayOf(set.lastClose),
  };
}

/** A strategy definition as the parser takes it. */
export function definitionOf(recipe: Recipe, windows: readonly ModelWindow[]): object {
  const model: ModelSection = {
    inputs: Object.keys(recipe.inputs),
    scaling: recipe.scaling,
    output: 'score',
    windows: windows.map(({ from, file, sha256 }) => ({ from, file, sha256 })),
  };
  return {
    language: 'bellwether-strategy/1',
    ...recipe.strategy,
    universe: recipe.universe,
    benchmark: recipe.benchmark,
    periodsPerYear: recipe.periodsPerYear,
    features: { ...recipe.inputs, ...recipe.ruleFeatures },
    model,
  };
}

export function labelPlan(recipe: Recipe): LabelPlan {
  return {
    ...recipe,
    features: recipe.inputs,
    model: { inputs: Object.keys(recipe.inputs), scaling: recipe.scaling },
  };
}

/** Writes the files of all windows below a folder. */
export function writeModel(folder: string, windows: readonly TrainedWindow[]): void {
  for (const { file, bytes } of windows) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
}

/** The day whose bar closes at `at`: a bar that closes at midnight belongs to the day before. */
function dayOf(at: Instant): IsoDate {
  return utcDate((at - 1) as Instant);
}

/** Three years to learn from, then a new model each year. */
const FIRST_YEAR = 2016;
const LAST_YEAR = 2026;
const WINDOWS = Array.from(
  { length: LAST_YEAR - FIRST_YEAR + 1 },
  (_, i) => `${FIRST_YEAR + i}-01-01` as IsoDate,
);
