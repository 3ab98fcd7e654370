// `npm run golden`: records what this version of the engine gives for the golden runs, and a published record of it. What is recorded stays.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ENGINE_VERSION } from '#engine/evidence/engine-version.ts';
import { type GoldenHashes, goldenRuns } from './golden-runs.ts';
import { sealedFile } from './sealed-file.ts';

const file = path.join(import.meta.dirname, 'hashes.json');
const written = JSON.parse(readFileSync(file, 'utf8')) as Record<string, GoldenHashes>;
const known = written[ENGINE_VERSION] ?? {};
const runs = goldenRuns();
const changed = Object.keys(known).filter((name) => known[name]?.result !== runs[name]?.result);
if (changed.length > 0) {
  console.error(
    `${ENGINE_VERSION} gave other figures for ${changed.join(', ')}: raise ENGINE_VERSION in src/engine/evidence/engine-version.ts first. ` +
      'Records that were published stay as they are.',
  );
  process.exit(1);
}
writeFileSync(file, `${JSON.stringify({ ...written, [ENGINE_VERSION]: runs }, null, 2)}\n`);
console.log(`tests/golden/hashes.json has ${Object.keys(runs).length} runs of ${ENGINE_VERSION}.`);
if (!existsSync(sealedFile(ENGINE_VERSION))) {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'tests/golden/sealed-records.test.ts'],
    { stdio: 'inherit', env: { ...process.env, RECORD_GOLDEN: '1' } },
  );
  if (status !== 0) process.exit(1);
}
console.log(`${path.relative(process.cwd(), sealedFile(ENGINE_VERSION))} is a published record of it.`);
