import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelFile, ModelInputs } from '#ports/model-runner.ts';
import { modelFolder } from './model-folder.ts';
import { onnxModels } from './onnx-models.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../models');
const NETWORK = fileOf('shares-network/2026.onnx');
const TREES = fileOf('coin-trees/2026.onnx');
const runner = onnxModels(modelFolder(FOLDER));

function fileOf(file: string): ModelFile {
  return {
    file,
    sha256: createHash('sha256')
      .update(readFileSync(path.join(FOLDER, file)))
      .digest('hex'),
  };
}

function rowsOf(count: number, width: number): ModelInputs {
  let state = 7;
  const next = () => ((state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5) * 4;
  return { count, width, inputs: Float32Array.from({ length: count * width }, next) };
}

async function scoresOf(model: ModelFile, rows: ModelInputs): Promise<Float32Array> {
  const answer = await runner.score(model, rows);
  if (!answer.ok) throw new Error(answer.message);
  return answer.scores;
}

describe.each([
  ['a network', NETWORK, 9],
  ['trees', TREES, 10],
])('%s', (_, model, width) => {
  const rows = rowsOf(5_000, width);

  it('gives a row the same score alone, among others and in another position', async () => {
    const scores = await scoresOf(model, rows);
    expect(new Set(scores).size).toBeGreaterThan(100);
    for (const at of [0, 1, 2_047, 2_048, 4_999]) {
      const inputs = rows.inputs.slice(at * width, (at + 1) * width);
      expect(await scoresOf(model, { count: 1, width, inputs })).toEqual(scores.slice(at, at + 1));
    }
    const seven = { count: 7, width, inputs: rows.inputs.slice(3 * width, 10 * width) };
    expect(await scoresOf(model, seven)).toEqual(scores.slice(3, 10));
  });

  it('returns each concurrent call its own scores', async () => {
    const other = { count: 10, width, inputs: rows.inputs.slice(0, 10 * width) };
    const [all, few] = await Promise.all([scoresOf(model, rows), scoresOf(model, other)]);
    expect(few).toEqual(all!.slice(0, 10));
  });

  it('refuses rows of another width', async () => {
    expect(await runner.score(model, rowsOf(3, width + 1))).toMatchObject({ ok: false, code: 'unfit' });
    expect((await scoresOf(model, rows)).length).toBe(5_000);
  });
});

it('runs only the file that matches the hash', async () => {
  const changed = { ...NETWORK, sha256: '0'.repeat(64) };
  expect(await runner.score(changed, rowsOf(1, 9))).toMatchObject({ ok: false, code: 'changed' });
});

it('reports a missing file', async () => {
  const missing = { ...NETWORK, file: 'shares-network/1999.onnx', sha256: '1'.repeat(64) };
  expect(await runner.score(missing, rowsOf(1, 9))).toMatchObject({ ok: false, code: 'missing' });
});

it('reports a file that is not a model', async () => {
  const bytes = new TextEncoder().encode('no model');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const odd = onnxModels({ read: async () => bytes });
  expect(await odd.score({ file: 'odd.onnx', sha256 }, rowsOf(1, 1))).toMatchObject({
    ok: false,
    code: 'unfit',
  });
});
