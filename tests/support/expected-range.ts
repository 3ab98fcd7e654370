import { saveExpectedRange } from '#records/expectation/expected-ranges.ts';
import type { PublishedReturns } from '#engine/expectation/published-returns.ts';
import type { Database } from '#records/postgres/database.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { instant, isoDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

/** The range that a worker would have written for a deployment, of two days. */
export async function insertExpectedRange(
  database: Database,
  deploymentId: DeploymentId,
  published: PublishedReturns = { low: -0.04, high: 0.04, mean: 0.0005, deviation: 0.01, varianceRatio: 1.1 },
): Promise<void> {
  const hash = 'f00d';
  await saveExpectedRange(database, {
    deploymentId,
    at: instant(Date.UTC(2026, 0, 5, 21)),
    engineHash: hash,
    source: {
      inputHash: hash,
      resultHash: hash,
      firstDate: isoDate(2013, 1, 2),
      lastDate: isoDate(2026, 1, 2),
    },
    terms: {
      investment: toMicro(10_000),
      limits: { stopLossPercentage: 10, maxAllocationPercent: 20, freezeOnDrawdownPercent: 25 },
    },
    recordDays: 3_270,
    daysInSample: 2_900,
    made: {
      range: {
        paths: 1_000,
        sessions: [0, 1],
        dates: [isoDate(2026, 1, 5), isoDate(2026, 1, 6)],
        values: [
          [1, 0.985],
          [1, 0.995],
          [1, 1.001],
          [1, 1.006],
          [1, 1.017],
        ],
      },
      published,
    },
  });
}
