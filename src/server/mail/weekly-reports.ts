import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { enqueuePerformanceReports } from '#records/results/performance-reports.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { Dependencies } from '../http/dependencies.ts';

/** Day 0, 1970-01-01, was a Thursday: days since then plus 3 count from a Monday. */
const weekOf = (at: Instant) => Math.floor((Math.floor(at / DAY_MS) + 3) / 7);

/** Queues a report for each subscriber when the trading clock enters a new week. */
export class WeeklyReports {
  private owedIn: number | null = null;

  async owe({ records, now }: Pick<Dependencies, 'records' | 'now'>): Promise<void> {
    const trader = await findHeartbeat(records.database, 'trader');
    const marketAt = trader?.marketAt ?? null;
    if (marketAt === null || weekOf(marketAt) === this.owedIn) return;
    await enqueuePerformanceReports(records.database, { at: now(), marketAt });
    this.owedIn = weekOf(marketAt);
  }
}
