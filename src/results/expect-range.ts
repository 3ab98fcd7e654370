// Writes the range of one deployment: a rehearsal of its own terms on the published result that was known when it
// started, and what other orders of those days would have come to.
import { BARS_FORMAT, PASSPORT_FORMAT, type PassportSeries } from '#engine/evidence/passport.ts';
import { inputOf } from '#engine/evidence/verify-passport.ts';
import { rangeOfDeployment, type RangeOfDeployment } from '#engine/expectation/range-of-deployment.ts';
import { nextTradingDay, previousSession, sessionAt } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { Rehearser } from '#engine/rehearsal/rehearsal.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { HistorySeries } from '#ports/market-history.ts';
import {
  findRangeSource,
  findRangeSubject,
  type RangeSource,
  type RangeSubject,
  saveExpectedRange,
  type StoredRange,
} from '#records/expectation/expected-ranges.ts';
import type { Database } from '#records/postgres/database.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import { findBacktestScores } from '#records/strategies/strategies.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';

export type RangeTools = {
  readonly database: Database;
  readonly history: HistorySeries;
  /** Trading clock. */
  readonly now: Instant;
  /** The hash of the engine that runs here. */
  readonly engine: string;
};

/** awaits_result: nothing of its version is published yet, so it is asked again. Repeating it changes nothing. */
export async function expectRange(
  tools: RangeTools,
  deploymentId: DeploymentId,
): Promise<'written' | 'known' | 'awaits_result'> {
  const { database, now: at, engine: engineHash } = tools;
  const subject = await findRangeSubject(database, deploymentId);
  if (subject === undefined) return 'known';
  const source = await findRangeSource(database, subject);
  if (source === undefined) return 'awaits_result';
  const { rehearsed, definition, calendar } = await rehearse(tools, subject, source);
  const { investment, limits } = subject;
  const result = rangeOfDeployment({
    deploymentId,
    rehearsed,
    periodsPerYear: definition.periodsPerYear,
    freezeOnDrawdownPercent: limits.freezeOnDrawdownPercent,
  });
  const committed = utcDate(source.costs.committedAt);
  await saveExpectedRange(database, {
    deploymentId,
    at,
    engineHash,
    source,
    terms: { investment, limits },
    recordDays: result.days,
    daysInSample: result.days === 0 ? 0 : countUntil(committed, rehearsed.dates.slice(-result.days)),
    made: result.ok
      ? { range: dated(result.made, calendar, subject.deployedAt), published: result.made.published }
      : { whyNone: result.why },
  });
  return 'written';
}

/** Without the freeze: nobody ends one in a rehearsal, so it would be asleep for years. Each path has its own instead. */
async function rehearse(
  { database, history }: RangeTools,
  { definition, investment, limits }: RangeSubject,
  { id, barsRead, costs }: RangeSource,
) {
  const scores = await findBacktestScores(database, id);
  const series: PassportSeries[] = [];
  for await (const one of listEvidenceSeries(database, barsRead, { scores, history })) series.push(one);
  const passport = { format: PASSPORT_FORMAT, definition: definition as StrategyDefinition, costs } as const;
  const input = inputOf(passport, { format: BARS_FORMAT, series });
  if (typeof input === 'string') throw new Error(input);
  const rehearsed = new Rehearser(input).rehearseDays({
    amount: investment,
    limits: { ...limits, freezeOnDrawdownPercent: 0 },
    takesFractions: false,
  });
  const first = input.instruments.get(input.definition.universe[0]!)!;
  return { rehearsed, definition: input.definition, calendar: first.calendar };
}

function countUntil(last: IsoDate, dates: readonly IsoDate[]): number {
  return dates.filter((date) => date <= last).length;
}

function dated({ range }: RangeOfDeployment, calendar: CalendarId, start: Instant): StoredRange {
  const days: IsoDate[] = [(sessionAt(calendar, start) ?? previousSession(calendar, start)).date];
  const last = range.sessions.at(-1)!;
  while (days.length <= last) days.push(nextTradingDay(calendar, days.at(-1)!));
  return { ...range, dates: range.sessions.map((session) => days[session]!) };
}
