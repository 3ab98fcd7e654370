// Determinism: the same definitions, prices and settings give the same hashes in Node, in Chromium, in Firefox where
// one is installed, and on every run. hashes.json has the hashes of each version of the engine. A change that is meant to change results
// raises ENGINE_VERSION, and `npm run golden` writes those of the new version; those of a released one stay.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from 'vite';
import { launchBrowser } from '../support/browser.ts';
import { type GoldenHashes, goldenRuns } from './golden-runs.ts';
import hashes from './hashes.json' with { type: 'json' };
import { readReleased } from '../../scripts/release/released-schema.ts';
import { ENGINE_VERSION } from '#engine/evidence/engine-version.ts';

const written = (hashes as Record<string, GoldenHashes>)[ENGINE_VERSION];

const BROWSER_MS = 90_000;

let server: Server;
let address: string;
let posted: (hashes: GoldenHashes) => void = () => undefined;
let bundle = '';

beforeAll(async () => {
  bundle = await bundled();
  server = createServer((request, response) => {
    if (request.method === 'POST') {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        response.end();
        posted(JSON.parse(text) as GoldenHashes);
      });
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><script>${bundle.replaceAll('</', '<\\/')}
fetch('/', { method: 'POST', body: JSON.stringify(golden.goldenRuns()) });</script>`,
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('no port');
  address = `http://127.0.0.1:${at.port}/`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

test('Node gives the recorded hashes, twice', () => {
  const sentence = `the engine gives other figures than ${ENGINE_VERSION}: raise ENGINE_VERSION in src/engine/evidence/engine-version.ts, then run npm run golden`;
  expect(goldenRuns(), sentence).toEqual(written);
  expect(goldenRuns()).toEqual(written);
});

test('the figures of a released version stay as they were released: another engine is another version', () => {
  const { engines } = readReleased(path.resolve(import.meta.dirname, '../..'));
  for (const [version, runs] of Object.entries(engines))
    expect((hashes as Record<string, GoldenHashes>)[version], version).toMatchObject(
      Object.fromEntries(Object.entries(runs).map(([name, result]) => [name, { result }])),
    );
});

test('Chromium gives the same', { timeout: BROWSER_MS }, async () => {
  const browser = await launchBrowser();
  const answer = nextPost();
  const page = await browser.newPage();
  await page.goto(address);
  expect(await answer).toEqual(written);
  await browser.close();
});

const FIREFOX = [process.env.FIREFOX, '/usr/bin/firefox', '/usr/bin/firefox-esr'].find(
  (file) => file !== undefined && existsSync(file),
);

test.skipIf(FIREFOX === undefined)(
  'Firefox, where one is installed, gives the same',
  { timeout: BROWSER_MS },
  async () => {
    const profile = mkdtempSync(path.join(tmpdir(), 'bellwether-firefox-'));
    const answer = nextPost();
    const firefox = spawn(FIREFOX!, ['--headless', '--no-remote', '--profile', profile, address], {
      stdio: 'ignore',
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    });
    try {
      expect(await Promise.race([answer, ended(firefox)])).toEqual(written);
    } finally {
      await stop(firefox);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);

function nextPost(): Promise<GoldenHashes> {
  return new Promise((resolve) => {
    posted = resolve;
  });
}

function ended(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Firefox ended (${code}) before it answered`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** The engine and the runs as one script, made by the bundler that makes the web app. */
async function bundled(): Promise<string> {
  const built = await build({
    root: path.resolve(import.meta.dirname, '../..'),
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2023',
      lib: {
        entry: path.join(import.meta.dirname, 'golden-runs.ts'),
        formats: ['iife'],
        name: 'golden',
      },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !('output' in output)) throw new Error('the bundler gave nothing');
  return output.output[0].code;
}
