// Models in ONNX files, run by onnxruntime as WebAssembly on one thread: the same build, and so the same bits, in Node
// and in a browser. The runtime is loaded at the first score.
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import type { ModelAnswer, ModelFile, ModelInputs, ModelRunner } from '#ports/model-runner.ts';

export type OnnxSource = {
  /** The bytes of a file in the model folder; null when it does not exist. */
  readonly read: (file: string) => Promise<Uint8Array<ArrayBuffer> | null>;
};

export function onnxModels({ read }: OnnxSource): ModelRunner {
  const sessions = new Map<string, Promise<Opened>>();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    score(model, rows) {
      // The runtime handles one run at a time.
      const answer = turn.then(() => scoreNow(model, rows));
      turn = answer.catch(() => undefined);
      return answer;
    },
  };

  async function scoreNow(model: ModelFile, rows: ModelInputs): Promise<ModelAnswer> {
    let opened = sessions.get(model.sha256);
    if (opened === undefined) {
      opened = open(model, read);
      sessions.set(model.sha256, opened);
    }
    const found = await opened;
    if (!found.ok) {
      // The file may exist at the next attempt.
      sessions.delete(model.sha256);
      return found;
    }
    try {
      return { ok: true, scores: await run(found, rows) };
    } catch (error) {
      return {
        ok: false,
        code: 'unfit',
        message: `${model.file} does not score these rows: ${reason(error)}`,
      };
    }
  }
}

type Session = {
  readonly ok: true;
  readonly session: InferenceSession;
  readonly tensor: (rows: Float32Array, shape: readonly [number, number]) => Tensor;
};
type Opened = Session | Extract<ModelAnswer, { ok: false }>;

async function open({ file, sha256 }: ModelFile, read: OnnxSource['read']): Promise<Opened> {
  const bytes = await read(file);
  if (bytes === null) return { ok: false, code: 'missing', message: `the model file ${file} is missing` };
  const found = hexadecimal(await crypto.subtle.digest('SHA-256', bytes));
  if (found !== sha256) {
    return {
      ok: false,
      code: 'changed',
      message: `the model file ${file} has the hash ${found}, not ${sha256}`,
    };
  }
  const runtime = await import('onnxruntime-web');
  runtime.env.wasm.numThreads = 1;
  try {
    const session = await runtime.InferenceSession.create(bytes, {
      executionProviders: ['wasm'],
      // The graph runs unoptimised, so that a newer optimiser does not change a score.
      graphOptimizationLevel: 'disabled',
    });
    return { ok: true, session, tensor: (rows, shape) => new runtime.Tensor('float32', rows, shape) };
  } catch (error) {
    return { ok: false, code: 'unfit', message: `${file} cannot be loaded: ${reason(error)}` };
  }
}

async function run(
  { session, tensor }: Session,
  { count, width, inputs }: ModelInputs,
): Promise<Float32Array> {
  if (inputs.length !== count * width)
    throw new RangeError(`${inputs.length} values are not ${count} × ${width}`);
  const scores = new Float32Array(count);
  for (let row = 0; row < count; row += ROWS_PER_RUN) {
    const rows = Math.min(ROWS_PER_RUN, count - row);
    const part = inputs.slice(row * width, (row + rows) * width);
    const { score } = await session.run({ features: tensor(part, [rows, width]) });
    const data = score?.data;
    if (!(data instanceof Float32Array) || data.length !== rows) {
      throw new TypeError('it does not answer with one score for each row');
    }
    scores.set(data, row);
    score?.dispose();
  }
  return scores;
}

function hexadecimal(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Bounds the runtime's memory. */
const ROWS_PER_RUN = 2_048;
