import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { wallInstant } from '#units/wall-instant.ts';
import { createProblemLog, type Problem } from './problem-log.ts';
import { afterProblem, isIncident, isOver, type ProblemSeries } from './repeated-problem.ts';

const RULE = { timesMin: 3, lastsMs: 30_000, quietMs: 300_000 };
const gaps = fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 30 });

test('a problem counts only when it has happened often enough over long enough, without a quiet while between', () => {
  fc.assert(
    fc.property(gaps, (waits) => {
      let at = 1_000_000;
      let run: number[] = [];
      let series: ProblemSeries | undefined;
      for (const wait of waits) {
        at += wait;
        if (run.length > 0 && wait >= RULE.quietMs) run = [];
        run.push(at);
        series = afterProblem(series, wallInstant(at), RULE);
        const lasts = at - run[0]! >= RULE.lastsMs;
        expect(isIncident(series, RULE)).toBe(run.length >= RULE.timesMin && lasts);
      }
    }),
  );
});

test('a silence that no one could have heard ends nothing', () => {
  const silence = {
    lastSeenAt: wallInstant(0),
    watchedSince: wallInstant(1_000_000),
    lookedAgainAt: null,
  };
  expect(isOver(silence, wallInstant(1_299_999), RULE)).toBe(false);
  expect(isOver(silence, wallInstant(1_300_000), RULE)).toBe(true);
  const later = { ...silence, lastSeenAt: wallInstant(1_100_000) };
  expect(isOver(later, wallInstant(1_300_000), RULE)).toBe(false);
});

test('who says that the cause is over waits for half a minute of silence from then on', () => {
  const silence = {
    lastSeenAt: wallInstant(1_000_000),
    watchedSince: wallInstant(0),
    lookedAgainAt: wallInstant(1_050_000),
  };
  expect(isOver(silence, wallInstant(1_079_999), RULE)).toBe(false);
  expect(isOver(silence, wallInstant(1_080_000), RULE)).toBe(true);
  // It has happened again.
  const again = { ...silence, lastSeenAt: wallInstant(1_060_000) };
  expect(isOver(again, wallInstant(1_089_999), RULE)).toBe(false);
  expect(isOver(again, wallInstant(1_090_000), RULE)).toBe(true);
  // Nobody would have heard it.
  const unheard = { ...silence, watchedSince: wallInstant(1_070_000) };
  expect(isOver(unheard, wallInstant(1_080_000), RULE)).toBe(false);
});

const TICK: Problem = { kind: 'tick_failing', subject: 'trader', task: 'tick' };

test('a lasting problem is taken when it becomes an incident, and then every ten seconds while it happens', () => {
  const log = createProblemLog();
  const taken: number[] = [];
  for (let second = 0; second <= 60; second += 1) {
    log.note(TICK, 'the feed is down', wallInstant(second * 1_000));
    if (log.takeIncidents().length > 0) taken.push(second);
  }
  expect(taken).toEqual([30, 40, 50, 60]);
  expect(log.takeIncidents()).toEqual([]);
});

test('an incident says since when, about what, and what was reported last', () => {
  const log = createProblemLog();
  for (const [at, said] of [
    [0, 'a'],
    [20_000, 'b'],
    [31_000, 'c'.repeat(400)],
  ] as const)
    log.note(TICK, said, wallInstant(at));
  expect(log.takeIncidents()).toEqual([
    {
      kind: 'tick_failing',
      subject: 'trader',
      facts: { task: 'tick', said: 'c'.repeat(300) },
      since: wallInstant(0),
    },
  ]);
});

test('problems about different things do not add up', () => {
  const log = createProblemLog();
  for (let second = 0; second <= 60; second += 20)
    log.note({ ...TICK, subject: String(second) }, 'down', wallInstant(second * 1_000));
  expect(log.takeIncidents()).toEqual([]);
});
