import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What Node has compiled is kept for the next worker, and for the traders and products that tests start and kill. */
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, 'node_modules/.cache/compiled');

/** Files of half a minute and more, slowest first: one of them begun last would keep a single worker busy. */
const SLOWEST = [
  'tests/live-market/whole-run.test.ts',
  'tests/simulation/more-worlds.test.ts',
  'tests/journeys/main-chain.test.ts',
  'tests/simulation/failed-once.test.ts',
  'tests/journeys/screens.test.ts',
  'tests/kill-campaign/kill-campaign.test.ts',
  'tests/simulation/worlds.test.ts',
  'tests/api/every-refusal.test.ts',
  'tests/api/every-call.test.ts',
  'tests/journeys/strategy-builder.test.ts',
  'tests/simulation/audited-world.test.ts',
  'tests/simulation/two-vendors.test.ts',
  'tests/drill/drill.test.ts',
  'tests/restore-drill/restore-drill.test.ts',
  'tests/trading/many-traders.test.ts',
  'tests/broker/adjusted-books.test.ts',
  'tests/trading/faults.test.ts',
  'src/processes/results/backtest-jobs.test.ts',
  'src/server/identity/password/guessing.test.ts',
  // Its product must be ready within minutes: not beside the worlds.
  'tests/journeys/replay.test.ts',
];

/** Minutes more of what other tests begin, and the trial of a way that was not taken: for continuous integration. */
const ONLY_WITH_CAMPAIGNS = [
  'tests/simulation/{more-worlds,failed-once}.test.ts',
  'bench/assignment/*.test.ts',
];
const OMITTED = process.env.CAMPAIGNS === 'full' ? [] : ONLY_WITH_CAMPAIGNS;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOWEST.findIndex((file) => moduleId.endsWith(file));
      return found < 0 ? SLOWEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

const PURE = ['src/{units,engine,rules}/**/*.test.ts'];
/** Each of them starts browsers and whole products, and walks through many pages. */
const JOURNEYS = ['tests/{journeys,live-market}/**/*.test.ts'];
/** Waits for results, which the product renews with the processor time that nobody else wants: after all others. */
const ALONE = ['tests/journeys/restart.test.ts'];

const patience = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A machine that is busy with the other tests is no fault of what is waited for.
  expect: { poll: { timeout: 20_000 } },
};

const served = { globalSetup: ['tests/support/database-server.ts'] };

export default defineConfig({
  test: {
    // One more than the cores that CI has: a third of the longest files wait, for a market day or a pacer.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    projects: [
      // Files that share a worker share its modules: they are loaded once, and what a test changes it puts back.
      { test: { name: 'pure', include: PURE, isolate: false, ...patience } },
      {
        test: {
          name: 'journeys',
          include: JOURNEYS,
          exclude: ALONE,
          ...served,
          ...patience,
          testTimeout: 90_000,
        },
      },
      { test: { name: 'alone', include: ALONE, sequence: { groupOrder: 1 }, ...patience } },
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
          exclude: ['**/node_modules/**', ...PURE, ...JOURNEYS, ...OMITTED],
          isolate: false,
          ...served,
          ...patience,
        },
      },
    ],
  },
});
