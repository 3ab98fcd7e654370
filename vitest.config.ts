import { defineConfig } from 'vitest/config';

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
    maxWorkers: 2,
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
