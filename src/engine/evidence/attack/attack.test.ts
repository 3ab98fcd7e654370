import { describe, expect, it } from 'vitest';
import { attackBestDraft, countVerdicts } from '#tests/support/engine/attack-drafts.ts';
import {
  cryptoInstrument,
  equityInstrument,
  instrumentMap,
  randomSeries,
  seriesMap,
} from '#tests/support/engine/random-market.ts';
import {
  definitionOf,
  SAMPLE_DEFINITIONS,
  SAMPLE_SYMBOLS,
} from '#tests/support/engine/sample-definitions.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { fromMicro, toMicro } from '#units/money.ts';
import { backtest } from '../../backtest/backtest.ts';
import type { BacktestInput } from '../../backtest/settings.ts';
import { flatCosts } from '../../market/costs.ts';
import { parseDefinition } from '../../strategy/parsing/parse-definition.ts';
import type { StrategyDefinition } from '../../strategy/definition.ts';
import type { TargetTable } from '../../strategy/targets/target-table.ts';
import { type AttackResult, judged, judgedByShareKept } from './attack-result.ts';
import { AttackedRun } from './attacked-run.ts';
import { delayed } from './bar-delay.ts';
import { attackOnBestTrades } from './best-trades.ts';
import { attackByCrises, crisisReturns } from './crisis-windows.ts';
import { atDoubleCosts } from './double-costs.ts';
import { attackByNeighbours } from './neighbouring-parameters.ts';
import { attackByOthers, transplants } from './other-instruments.ts';
import { attackByRandomEntries, shifted } from './random-entries.ts';
import { attackByTail } from './unseen-tail.ts';
import { attackByLuck, verdictOf } from './verdict.ts';

const series = SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 7 + i, bars: 600 }));
const inputOf = (definition: StrategyDefinition): BacktestInput => ({
  definition,
  series: seriesMap(...series),
  instruments: instrumentMap(...SAMPLE_SYMBOLS.map(equityInstrument)),
  settings: {
    initialCash: toMicro(100_000),
    costs: flatCosts({ commissionRate: 0.001, slippageRate: 0.0005 }),
    limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar: 0.03,
    noTradeBand: 0,
  },
});
const definitions = Object.entries(SAMPLE_DEFINITIONS);

it.each(definitions)('the run that is attacked is the backtest: %s', (_, definition) => {
  const input = inputOf(definition);
  expect([...new AttackedRun(input).result().equity]).toEqual([...backtest(input).equity]);
});

it('at double costs the rules pay twice for their first trade', () => {
  const input = inputOf(SAMPLE_DEFINITIONS['trend']!);
  const paid = (one: BacktestInput) => fromMicro(backtest(one).fills[0]!.commission);
  expect(paid(atDoubleCosts(input)) / paid(input)).toBeCloseTo(2, 2);
});

it('a bar later, each fill is of the bar after', () => {
  const base = new AttackedRun(inputOf(SAMPLE_DEFINITIONS['momentum']!));
  const { timeline } = base.compiled.table;
  const first = (table?: TargetTable) => timeline.indexOf(base.result(table).fills[0]!.at);
  expect(first(delayed(base.compiled.table))).toBe(first() + 1);
  const last = {
    ...base.compiled.table,
    timeline: timeline.subarray(0, base.compiled.table.rows.at(-1)! + 1),
  };
  expect(delayed(last).count).toBe(last.count - 1);
});

describe('moved targets', () => {
  const table: TargetTable = {
    symbols: ['AAA' as Symbol],
    timeline: Float64Array.from({ length: 10 }, (_, row) => row),
    count: 3,
    rows: Int32Array.of(2, 5, 8),
    weights: Float64Array.of(1, 0, 0.5),
    verdicts: ['flat'],
    decidedAtRow: Int32Array.of(8),
  };
  const held = ({ rows, weights, timeline }: TargetTable) =>
    Array.from(timeline, (_, row) => weights[rows.findLastIndex((at) => at <= row)] ?? 0);

  it('are the same days in the same order, round the end', () => {
    const own = held(table).slice(2);
    for (let by = 0; by < 8; by++) {
      const moved = held(shifted(table, { from: 2, by })).slice(2);
      expect(moved).toEqual([...own.slice(own.length - by), ...own.slice(0, own.length - by)]);
    }
  });

  it('begin with what is held where they are cut', () => {
    expect(held(shifted(table, { from: 4, by: 1 })).slice(4)).toEqual([0.5, 1, 0, 0, 0, 0.5]);
  });

  it('give the same figure for the same numbers', () => {
    const base = new AttackedRun(inputOf(SAMPLE_DEFINITIONS['trend']!));
    const numbers = () => {
      let state = 1;
      return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
    };
    expect(attackByRandomEntries(base, numbers())).toEqual(attackByRandomEntries(base, numbers()));
  });

  it('cannot be beaten by who always holds the same', () => {
    const always = definitionOf({
      universe: ['AAA'],
      rule: { type: 'signals', enterLong: { op: 'above', left: 'close', right: 0 } },
    });
    expect(attackByRandomEntries(new AttackedRun(inputOf(always)), () => 0.5)).toMatchObject({
      outcome: 'failed',
      figure: 0,
    });
  });
});

describe('without the best five trades', () => {
  const trades = (...profits: number[]) => profits.map((profit) => ({ pnl: toMicro(profit) })) as never;

  it('only what is left counts, of the first equity', () => {
    const many = [900, 800, 700, 600, 500, ...Array.from({ length: 20 }, () => 10)];
    expect(attackOnBestTrades(trades(...many), toMicro(10_000))).toEqual({
      outcome: 'survived',
      figure: 0.02,
      threshold: 0,
    });
    const few = [9_000, 800, 700, 600, 500, ...Array.from({ length: 20 }, () => -10)];
    expect(attackOnBestTrades(trades(...few), toMicro(10_000))).toMatchObject({
      outcome: 'failed',
      figure: -0.02,
    });
  });

  it('fewer than twenty say nothing', () => {
    const few = Array.from({ length: 19 }, () => 1);
    expect(attackOnBestTrades(trades(...few), toMicro(1))).toEqual({
      outcome: 'not_run',
      reason: 'too_few_trades',
    });
  });
});

it('neighbours are judged by their median; one that cannot be run earns nothing', () => {
  expect(attackByNeighbours(0.1, [0.02, 0.06, 0.08, 0.09])).toMatchObject({
    outcome: 'survived',
    figure: 0.07 / 0.1,
  });
  expect(attackByNeighbours(0.1, [null, null, 0.04, 0.09, 0.3])).toMatchObject({ outcome: 'failed' });
  expect(attackByNeighbours(0.1, [0.1, 0.1, 0.1])).toEqual({
    outcome: 'not_run',
    reason: 'too_few_neighbours',
  });
});

it('who earned nothing has no edge to keep', () => {
  expect(judgedByShareKept(0, 1)).toEqual({ outcome: 'not_run', reason: 'no_gain' });
  expect(judgedByShareKept(1, 0.5)).toMatchObject({ outcome: 'failed' });
  expect(judgedByShareKept(1, 0.51)).toMatchObject({ outcome: 'survived' });
});

describe('crises', () => {
  const dates = ['2020-02-18', '2020-02-19', '2020-03-10', '2020-03-23', '2020-03-24'] as IsoDate[];
  const record = (...equity: number[]) => ({ dates, equity: Float64Array.from(equity) });

  it('are measured from the close before to the last one within', () => {
    expect(crisisReturns(record(100, 95, 90, 85, 99))).toMatchObject([
      { name: 'Pandemic', return: 0.85 - 1 },
    ]);
    expect(attackByCrises(record(100, 95, 90, 79, 99), false)).toMatchObject({ outcome: 'failed' });
    expect(attackByCrises(record(100, 95, 90, 85, 99), false)).toMatchObject({ outcome: 'survived' });
  });

  it('count only where the record covers them whole, and prices are real', () => {
    const late = { dates: dates.slice(1), equity: Float64Array.of(1, 1, 1, 1) };
    expect(attackByCrises(late, false)).toEqual({ outcome: 'not_run', reason: 'no_crisis_covered' });
    const early = { dates: dates.slice(0, 3), equity: Float64Array.of(1, 1, 1) };
    expect(attackByCrises(early, false)).toEqual({ outcome: 'not_run', reason: 'no_crisis_covered' });
    expect(attackByCrises(record(1, 1, 1, 1, 1), true)).toEqual({
      outcome: 'not_run',
      reason: 'simulated_prices',
    });
  });
});

it('the tail since the rules were fixed is asked once there are enough days of it', () => {
  const days = (count: number, mean: number) =>
    Float64Array.from({ length: count }, (_, day) => mean + (day % 2 === 0 ? 0.01 : -0.01));
  expect(attackByTail(days(62, 1), 252)).toEqual({ outcome: 'not_run', reason: 'too_few_days' });
  expect(attackByTail(days(64, 0.001), 252)).toMatchObject({ outcome: 'survived', threshold: 0 });
  expect(attackByTail(days(64, -0.001), 252)).toMatchObject({ outcome: 'failed' });
  expect(attackByTail(new Float64Array(64), 252)).toMatchObject({ outcome: 'not_run' });
});

describe('other instruments', () => {
  const others = ['EEE', 'FFF', 'GGG', 'HHH', 'III'].map(equityInstrument);
  const listed = [...SAMPLE_SYMBOLS.map(equityInstrument), ...others, cryptoInstrument('BTCUSD')];
  const elsewhere = (definition: StrategyDefinition, of = listed) => transplants(definition, of, () => 0.3);

  it.each(definitions)('take the place of its own, in rules that parse: %s', (name, definition) => {
    const found = elsewhere(definition);
    if (typeof found === 'string') throw new Error(`${name}: ${found}`);
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) {
      expect(parseDefinition(JSON.parse(JSON.stringify(one)))).toEqual({ ok: true, definition: one });
      expect(one.universe.filter((symbol) => SAMPLE_SYMBOLS.includes(symbol))).toEqual([]);
      expect(one.universe).not.toContain('BTCUSD');
    }
  });

  it('are missing where too few are listed, kinds are mixed or a model knows its own', () => {
    const trend = SAMPLE_DEFINITIONS['trend']!;
    expect(elsewhere(trend, listed.slice(0, 4))).toBe('no_others');
    expect(elsewhere(SAMPLE_DEFINITIONS['pairs']!, listed.slice(0, 7))).toBe('no_others');
    expect(elsewhere({ ...trend, universe: [...trend.universe, listed.at(-1)!.symbol] })).toBe('mixed_kinds');
    expect(elsewhere({ ...trend, model: {} as never })).toBe('trained_on_its_own');
  });

  it('are judged by the lower middle one of what could be measured', () => {
    expect(attackByOthers([0.4, Number.NaN, -0.2])).toMatchObject({ outcome: 'failed', figure: -0.2 });
    expect(attackByOthers([0.4, 0.1, -0.2])).toMatchObject({ outcome: 'survived', figure: 0.1 });
    expect(attackByOthers([])).toEqual({ outcome: 'not_run', reason: 'no_others' });
  });
});

describe('the verdict', () => {
  const found = (code: AttackResult['code'], figure: number) =>
    ({ code, ...judged(figure, 0) }) as AttackResult;
  const survived = (['luck', 'double_costs', 'bar_delay', 'neighbours', 'random_entries'] as const).map(
    (code) => found(code, 1),
  );

  it('is withstood where nothing failed and enough was run', () => {
    expect(verdictOf(survived)).toBe('withstood');
    expect(verdictOf(survived.slice(1))).toBe('not_judged');
  });

  it('is doubtful after one of the milder attacks, and do not deploy after two or any other', () => {
    const [trades, crises] = [found('best_trades', -1), found('crises', -1)];
    expect(verdictOf([...survived, trades])).toBe('doubtful');
    expect(verdictOf([...survived, trades, crises])).toBe('do_not_deploy');
    expect(verdictOf([...survived.slice(1), found('luck', -1)])).toBe('do_not_deploy');
    expect(verdictOf([found('unseen_tail', -1)])).toBe('do_not_deploy');
  });

  it('counts the luck of all tries at the level of the grade', () => {
    expect(attackByLuck(0.96)).toMatchObject({ outcome: 'survived' });
    expect(attackByLuck(0.95)).toMatchObject({ outcome: 'failed' });
    expect(attackByLuck(null)).toMatchObject({ outcome: 'not_run' });
  });
});

describe('of the best of thirty drafts', () => {
  it('says do not deploy on noise', () => {
    expect(countVerdicts({ drafts: 'kinds', drift: 0 }, 'do_not_deploy', { runs: 4, seed: 7919 })).toBe(4);
  });

  it('withstands where there is a trend', () => {
    expect(
      countVerdicts({ drafts: 'numbers', drift: 0.3 }, 'withstood', { runs: 4, seed: 7919 }),
    ).toBeGreaterThan(2);
  });

  it('is the same for the same seed', () => {
    const search = { drafts: 'numbers', drift: 0.2 } as const;
    expect(attackBestDraft(search, 3)).toEqual(attackBestDraft(search, 3));
  });
});
