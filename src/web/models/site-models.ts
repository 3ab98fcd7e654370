import type { RunModel } from '#engine/model/score-with.ts';
import { sha256HexOfBytes } from '#engine/evidence/sha256.ts';

/**
 * Runs the model files of this site in the browser: the runtime, one thread and settings of the server, and so its
 * bits. Runtime and files are loaded at the first batch.
 */
export function siteModels(): RunModel {
  const sessions = new Map<string, ReturnType<typeof openModel>>();
  return async ({ window: { file, sha256 }, count, width, inputs }) => {
    const opened = sessions.get(sha256) ?? openModel(file, sha256);
    sessions.set(sha256, opened);
    const { session, Tensor } = await opened;
    const scores = new Float32Array(count);
    for (let row = 0; row < count; row += ROWS_PER_RUN) {
      const rows = Math.min(ROWS_PER_RUN, count - row);
      const part = inputs.slice(row * width, (row + rows) * width);
      const { score } = await session.run({ features: new Tensor('float32', part, [rows, width]) });
      if (!(score?.data instanceof Float32Array)) throw new TypeError(`${file} gives no scores`);
      scores.set(score.data, row);
    }
    return scores;
  };
}

async function openModel(file: string, sha256: string) {
  const response = await fetch(`/models/${file}`);
  if (!response.ok) throw new Error(`the file ${file} could not be loaded`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (sha256HexOfBytes(bytes) !== sha256)
    throw new Error(`the file ${file} is not the one that the rules name`);
  const { env, InferenceSession, Tensor } = await import('onnxruntime-web/wasm');
  env.wasm.numThreads = 1;
  const session = await InferenceSession.create(bytes, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'disabled',
  });
  return { session, Tensor };
}

const ROWS_PER_RUN = 2_048;
