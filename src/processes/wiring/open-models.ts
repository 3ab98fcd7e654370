import path from 'node:path';
import { modelFolder } from '#adapters/model-runner/onnx/model-folder.ts';
import { onnxModels } from '#adapters/model-runner/onnx/onnx-models.ts';
import type { ModelRunner } from '#ports/model-runner.ts';

/** The trained models, definitions and cards that come with the product. */
export const MODELS_FOLDER = path.resolve(import.meta.dirname, '../../../models');

export function openModels(): ModelRunner {
  return onnxModels(modelFolder(MODELS_FOLDER));
}
