import type { portfolioEndpoints } from '#contract/portfolio.ts';
import { hasEnded, type DeploymentStatus } from '#engine/lifecycle/status.ts';
import {
  type DeploymentRow,
  type EquityRow,
  readDeployments,
  readEquity,
} from '#records/deployments/deployment-views.ts';
import { listDeploymentIds } from '#records/deployments/deployments.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import { exposureByInstrument, exposureByKind, type HeldBy } from '#rules/portfolio/together/exposure.ts';
import { type DailyValues, jointDrawdown } from '#rules/portfolio/together/joint-drawdown.ts';
import { likenesses } from '#rules/portfolio/together/overlap.ts';
import type { IsoDate } from '#units/instant.ts';
import { add, fromMicro, type Micro, micro, parseMicro, ZERO_MICRO, subtract } from '#units/money.ts';
import type { Call } from '../http/call.ts';

export const getPortfolio: Call<typeof portfolioEndpoints.getPortfolio> = async ({ caller }, { records }) => {
  const { userId } = caller;
  const ids = await listDeploymentIds(records.database, userId);
  const rows = await readDeployments(records.pool, ids);
  const running = ids
    .flatMap((id) => rows.get(id) ?? [])
    .filter(({ mode, status }) => mode !== 'practice' && !hasEnded(status as DeploymentStatus));
  const equity = await readEquity(records.pool, { userId, id: null, days: null });
  const values = new Map(equity.map((row) => [row.id as string, dailyValues(row)]));
  const all = running.map(heldBy);
  const drawdown = jointDrawdown([...values.values()]);
  const profile = await findRiskProfile(records.database, userId);
  return {
    value: fromMicro(add(...all.map((one) => one.equity))),
    as_of: newest(running),
    cash: fromMicro(add(...running.map(({ cash_micro }) => parseMicro(cash_micro)))),
    deployments: all.map(({ id, strategyName, equity: value }) => ({
      id,
      strategy_name: strategyName,
      value: fromMicro(value),
    })),
    by_kind: exposureByKind(all).map(({ of, ...exposure }) => ({ kind: of, ...showExposure(exposure) })),
    by_instrument: exposureByInstrument(all).map(({ of, kind, strategyNames, ...exposure }) => ({
      ticker: of,
      kind,
      ...showExposure(exposure),
      strategy_names: [...strategyNames],
    })),
    pairs: likenesses(all, values).map(({ first, second, overlapPercent, correlation, days }) => ({
      first,
      second,
      overlap_percent: overlapPercent,
      correlation,
      days,
    })),
    drawdown: drawdown && {
      now_percent: drawdown.nowPercent,
      deepest_percent: drawdown.deepestPercent,
      peak: drawdown.peak,
      trough: drawdown.trough,
    },
    stated_maximum_percent: profile?.maxDrawdownTolerance ?? null,
  };
};

function newest(rows: readonly DeploymentRow[]): string | null {
  const times = rows.map(({ marked_at, deployed_at }) => (marked_at ?? deployed_at).toISOString());
  return times.toSorted().at(-1) ?? null;
}

function heldBy({ id, strategy_name, equity_micro, positions }: DeploymentRow): HeldBy {
  return {
    id,
    strategyName: strategy_name,
    equity: parseMicro(equity_micro),
    positions: positions.map(({ ticker, kind, quantity, notional }) => ({
      ticker,
      kind,
      notional: micro(quantity < 0 ? -Math.abs(notional) : Math.abs(notional)),
    })),
  };
}

/** The money put in, the value at the end of each day, and the value of now. */
function dailyValues(row: EquityRow): DailyValues {
  const { deployed_at, marks, as_of } = row;
  const begun = deployed_at.toISOString().slice(0, 10) as IsoDate;
  const today = as_of.toISOString().slice(0, 10) as IsoDate;
  const added = parseMicro(row.added);
  const first = { date: begun, equity: subtract(parseMicro(row.investment_micro), added), added: ZERO_MICRO };
  const days = marks.map((mark) => ({
    date: mark.date as IsoDate,
    equity: mark.equity as Micro,
    added: mark.added as Micro,
  }));
  const isNew = (days.at(-1)?.date ?? begun) < today;
  const values = [
    ...(days[0]?.date === begun ? [] : [first]),
    ...days,
    ...(isNew ? [{ date: today, equity: parseMicro(row.equity), added }] : []),
  ];
  return values.map((day, i) => ({
    date: day.date,
    equity: day.equity,
    flow: subtract(day.added, values[i - 1]?.added ?? day.added),
  }));
}

function showExposure({
  long,
  short,
  netPercent,
}: {
  readonly long: Micro;
  readonly short: Micro;
  readonly netPercent: number | null;
}) {
  return { long: fromMicro(long), short: fromMicro(short), net_percent: netPercent };
}
