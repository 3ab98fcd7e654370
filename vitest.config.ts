import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What Node has compiled is kept for the next worker, and for the traders and products that tests start and kill. */
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, 'node_modules/.cache/compiled');

/** Files of half a minute and more, slowest first: one of them begun last would keep a single worker busy. */
const SLOWEST = [
  'tests/live-market/whole-run.test.ts',
  'tests/kill-campaign/kill-campaign.test.ts',
  'tests/simulation/audited-world.test.ts',
  'tests/simulation/seeds-1-to-12.test.ts',
  'tests/simulation/seeds-13-to-30.test.ts',
  'tests/simulation/seeds-200001-to-200003.test.ts',
  'tests/journeys/main-chain.test.ts',
  'tests/journeys/screens.test.ts',
  'tests/broker/adjusted-books.test.ts',
  'tests/trading/many-traders.test.ts',
  'tests/api/every-refusal.test.ts',
  'tests/api/every-call.test.ts',
  'tests/trading/faults.test.ts',
  // Its product must be ready within minutes: not beside the worlds.
  'tests/journeys/replay.test.ts',
  'tests/journeys/restart.test.ts',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOWEST.findIndex((file) => moduleId.endsWith(file));
      return found < 0 ? SLOWEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Tests of the pure floors share one module graph a worker: nothing there can leave a trace, and it saves loading. */
const PURE = ['src/{units,engine,rules}/**/*.test.ts'];

const patience = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A machine that is busy with the other tests is no fault of what is waited for.
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    // One more than the cores that CI has: a third of the longest files wait, for a market day or a pacer.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    projects: [
      { test: { name: 'pure', include: PURE, isolate: false, ...patience } },
      {
        test: {
          name: 'product',
          include: [
            'src/**/*.test.{ts,tsx}',
            'sandbox/**/*.test.ts',
            'tests/**/*.test.ts',
            'bench/**/*.test.ts',
            'models/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...PURE],
          globalSetup: ['tests/support/database-server.ts'],
          ...patience,
        },
      },
    ],
  },
});
