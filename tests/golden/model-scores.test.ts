// Determinism of trained models: the published files give the same scores, bit for bit, in Node and in Chromium. Both
// run the very adapter that the product uses, over the rows of the market's last year before the clock begins.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECIPES } from '../../models/recipes.ts';
import { trainingHistory } from '../../models/training-history.ts';
import { modelFolder } from '../../src/adapters/model-runner/onnx/model-folder.ts';
import { onnxModels } from '../../src/adapters/model-runner/onnx/onnx-models.ts';
import { modelRows } from '../../src/engine/model/model-rows.ts';
import { scoreBatches } from '../../src/engine/model/score-columns.ts';
import { signalSeries } from '../../src/engine/market/signal-bars.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { instantOfDate } from '../../src/units/instant.ts';
import { launchBrowser } from '../support/browser.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RUNTIME = path.join(ROOT, 'node_modules/onnxruntime-web/dist');
const BROWSER_MS = 90_000;

const series = signalSeries(trainingHistory().series);
const batches = RECIPES.flatMap(({ name }) => {
  const text = readFileSync(path.join(ROOT, 'models', name, 'definition.json'), 'utf8');
  const parsed = parseDefinition(JSON.parse(text));
  if (!parsed.ok || parsed.definition.model === undefined) throw new Error(`${name} has no model`);
  const { model, ...rest } = parsed.definition;
  const rows = modelRows({ ...rest, model }, series, instantOfDate('2024-12-01'));
  return scoreBatches(model, rows);
});

let server: Server;
let address: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [type, body] = answerTo(request.url ?? '/');
    response.setHeader('content-type', type);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('no port');
  address = `http://127.0.0.1:${at.port}/`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

test('Chromium gives the scores that Node gives', { timeout: BROWSER_MS }, async () => {
  const runner = onnxModels(modelFolder(path.join(ROOT, 'models')));
  const here: number[][] = [];
  for (const batch of batches) {
    const answer = await runner.score(batch.window, batch);
    if (!answer.ok) throw new Error(answer.message);
    here.push(bitsOf(answer.scores));
  }
  expect(here.length).toBeGreaterThan(5);
  expect(new Set(here.flat()).size).toBeGreaterThan(1_000);

  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(address);
  const inBrowser = await page.evaluate('globalThis.scores');
  await browser.close();
  expect(inBrowser).toEqual(here);
});

/** Bits, so that nothing is rounded on the way between the two. */
function bitsOf(scores: Float32Array): number[] {
  return [...new Uint32Array(scores.buffer, scores.byteOffset, scores.length)];
}

function answerTo(url: string): readonly [string, string | Buffer] {
  const parts = url.split('/');
  const name = parts.at(-1) ?? '';
  if (url.startsWith('/runtime/') && name.endsWith('.mjs'))
    return ['text/javascript', readFileSync(path.join(RUNTIME, name))];
  if (url.startsWith('/runtime/')) return ['application/wasm', readFileSync(path.join(RUNTIME, name))];
  if (url.startsWith('/models/')) return ['application/octet-stream', readFileSync(path.join(ROOT, url))];
  if (url.startsWith('/rows/')) {
    const { inputs } = batches[Number(name)]!;
    return ['application/octet-stream', Buffer.from(inputs.buffer, inputs.byteOffset, inputs.byteLength)];
  }
  if (url === '/adapter.js') {
    const source = readFileSync(path.join(ROOT, 'src/adapters/model-runner/onnx/onnx-models.ts'), 'utf8');
    return ['text/javascript', stripTypeScriptTypes(source)];
  }
  return ['text/html; charset=utf-8', PAGE];
}

const PAGE = `<!doctype html>
<script type="importmap">{ "imports": { "onnxruntime-web": "/runtime/ort.wasm.min.mjs" } }</script>
<script type="module">
  import { onnxModels } from '/adapter.js';
  const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());
  const runner = onnxModels({ read: (file) => bytes('/models/' + file) });
  const batches = ${JSON.stringify(batches.map(({ window, count, width }) => ({ window, count, width })))};
  globalThis.scores = Promise.all(batches.map(async ({ window, count, width }, i) => {
    const inputs = new Float32Array((await bytes('/rows/' + i)).buffer);
    const answer = await runner.score(window, { count, width, inputs });
    if (!answer.ok) throw new Error(answer.message);
    return [...new Uint32Array(answer.scores.buffer)];
  }));
</script>`;
