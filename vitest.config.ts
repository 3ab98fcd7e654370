import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'sandbox/**/*.test.ts',
      'tests/**/*.test.ts',
      'bench/**/*.test.ts',
      'models/**/*.test.ts',
    ],
    globalSetup: ['tests/support/database-server.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A machine that is busy with the other tests is no fault of what is waited for.
    expect: { poll: { timeout: 20_000 } },
  },
});
