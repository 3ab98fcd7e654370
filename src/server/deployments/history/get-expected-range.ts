import type { ExpectedRange, expectedRangeEndpoints } from '#contract/expected-range.ts';
import { type RangeRow, readExpectedRange } from '#records/expectation/expected-ranges.ts';
import { noRangeReason, tripwireMeaning } from '#rules/deployments/tripwire-text.ts';
import { fromMicro } from '#units/money.ts';
import { csvLine } from '../../answers/csv-line.ts';
import { describeFile } from '../../answers/describe-file.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';

export const getExpectedRange: Call<typeof expectedRangeEndpoints.getExpectedRange> = async (
  { params, caller },
  { records },
) => {
  const row = await readExpectedRange(records.pool, { id: params.id, userId: caller.userId });
  return row ? showExpectedRange(row) : notFound();
};

export const downloadExpectedRange: Call<typeof expectedRangeEndpoints.downloadExpectedRange> = async (
  { params, caller, reply },
  { records },
) => {
  const row = await readExpectedRange(records.pool, { id: params.id, userId: caller.userId });
  if (!row) return notFound();
  describeFile(reply, 'expected-range.csv');
  const lines = rowsOf(row).map((one) => csvLine(COLUMNS.map((column) => one[column])));
  return new TextEncoder().encode([csvLine(COLUMNS), ...lines].join(''));
};

const COLUMNS = ['date', 'session', 'p5', 'p25', 'p50', 'p75', 'p95'] as const;

function showExpectedRange(row: RangeRow): ExpectedRange {
  const days = row.days_judged ?? 0;
  return {
    made_at: row.made_at?.toISOString() ?? null,
    unavailable: unavailable(row),
    rows: rowsOf(row),
    alternatives: row.range?.paths ?? null,
    made_from: madeFrom(row),
    tripwire: {
      state: row.tripwire_state,
      since: row.tripwire_since?.toISOString() ?? null,
      judged_until: row.judged_until,
      days,
      meaning: tripwireMeaning(row.tripwire_state, days),
    },
  };
}

function unavailable({ made_at: madeAt, why_none: whyNone }: RangeRow): string | null {
  if (madeAt === null) return 'It is being computed. Please look again in a minute.';
  return whyNone && noRangeReason(whyNone);
}

function rowsOf({ range }: RangeRow): ExpectedRange['rows'] {
  if (range === null) return [];
  const [p5, p25, p50, p75, p95] = range.values;
  return range.dates.map((date, i) => ({
    date,
    session: range.sessions[i]!,
    p5: p5![i]!,
    p25: p25![i]!,
    p50: p50![i]!,
    p75: p75![i]!,
    p95: p95![i]!,
  }));
}

function madeFrom(row: RangeRow): ExpectedRange['made_from'] {
  const { terms } = row;
  if (terms === null) return null;
  return {
    first_date: row.first_date!,
    last_date: row.last_date!,
    days: row.record_days!,
    days_in_sample: row.days_in_sample!,
    investment_amount: fromMicro(terms.investment),
    stop_loss_percentage: terms.limits.stopLossPercentage,
    max_allocation_per_trade: terms.limits.maxAllocationPercent,
    freeze_on_drawdown: terms.limits.freezeOnDrawdownPercent,
    result_hash: row.result_hash!,
    engine_hash: row.engine_hash!,
  };
}
