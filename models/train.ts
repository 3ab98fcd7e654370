// `npm run train [name …]`: trains the models walk-forward on the simulated market's past and writes, for each, its
// ONNX files, the definition of the strategy that trades it and its card. The same input gives the same bytes;
// `npm run train -- --check` writes nothing and fails where a file would differ.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { modelFolder } from '#adapters/model-runner/onnx/model-folder.ts';
import { onnxModels } from '#adapters/model-runner/onnx/onnx-models.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { scoreBars } from '#engine/model/score-bars.ts';
import { cardPage, modelCard } from './card.ts';
import { holdingFigures, type Judged, strategyFigures, yearlyFit } from './judge-model.ts';
import type { Recipe } from './recipe.ts';
import { RECIPES } from './recipes.ts';
import { definitionOf, type TrainedWindow, trainModel, writeModel } from './train-model.ts';
import { type TrainingHistory, trainingHistory } from './training-history.ts';

const FOLDER = import.meta.dirname;
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const checksOnly = process.argv.includes('--check');
const unknown = names.filter((name) => !RECIPES.some((recipe) => recipe.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no model ${unknown.join(', ')}. Models: ${RECIPES.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}

const history = trainingHistory();
let differing = 0;
for (const recipe of RECIPES) {
  if (names.length > 0 && !names.includes(recipe.name)) continue;
  const windows = trainModel(recipe, history.series);
  if (checksOnly) differing += differences(windows);
  else await write(recipe, windows, history);
}
process.exit(differing === 0 ? 0 : 1);

function differences(windows: readonly TrainedWindow[]): number {
  const changed = windows.filter(({ file, bytes }) => !readFileSync(path.join(FOLDER, file)).equals(bytes));
  for (const { file } of windows)
    console.log(`${changed.some((one) => one.file === file) ? 'DIFFERS' : 'same   '}  ${file}`);
  return changed.length;
}

async function write(
  recipe: Recipe,
  windows: readonly TrainedWindow[],
  { seed, instruments, series }: TrainingHistory,
) {
  writeModel(FOLDER, windows);
  const parsed = parseDefinition(definitionOf(recipe, windows));
  if (!parsed.ok) throw new Error(`${recipe.name}: ${JSON.stringify(parsed.errors)}`);
  const { definition } = parsed;
  const scores = await scoreBars(onnxModels(modelFolder(FOLDER)), definition, series);
  const judged: Judged = { definition, instruments, series, scores };
  const strategy = strategyFigures(judged);
  const holding = holdingFigures(judged);
  const card = modelCard({ recipe, seed, windows, fit: yearlyFit(recipe, judged), strategy, holding });
  writeJson(path.join(FOLDER, recipe.name, 'definition.json'), definition);
  writeJson(path.join(FOLDER, recipe.name, 'card.json'), card);
  writeFileSync(path.join(FOLDER, recipe.name, 'card.md'), cardPage(card));
  const { annualReturnPercent, sharpeRatio, maxDrawdownPercent } = strategy;
  console.log(
    `${recipe.name}: ${windows.length} models; out of sample ${annualReturnPercent}% a year, Sharpe ${sharpeRatio}, drawdown ${maxDrawdownPercent}% (held in equal parts: ${holding.annualReturnPercent}%, ${holding.sharpeRatio}, ${holding.maxDrawdownPercent}%)`,
  );
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
