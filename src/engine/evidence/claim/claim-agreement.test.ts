import { describe, expect, test } from 'vitest';
import { uniforms } from '../../rehearsal/block-bootstrap.ts';
import { claimAgreement, CLAIM_DAYS_MIN, type GrowthLine } from './claim-agreement.ts';

function weekdays(count: number): string[] {
  const days: string[] = [];
  for (let at = Date.UTC(2026, 0, 5); days.length < count; at += 86_400_000)
    if (![0, 6].includes(new Date(at).getUTCDay())) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

const LABELS = weekdays(400);
const line = (returns: readonly number[], labels = LABELS): GrowthLine => {
  let worth = 1;
  return { labels, data: [1, ...returns.map((one) => (worth *= 1 + one))].slice(0, labels.length) };
};
/** Daily returns of about 16% deviation a year. */
function market(random: () => number): number[] {
  return LABELS.slice(1).map(() => 0.0003 + 0.02 * (random() + random() + random() - 1.5));
}
const upTo = ({ labels, data }: GrowthLine, days: number) => ({
  labels: labels.slice(0, days),
  data: data.slice(0, days),
});
/** Each verdict that somebody who looks every twenty days gets to see. */
const seen = (claimed: GrowthLine, ours: GrowthLine) =>
  Array.from({ length: 20 }, (_, i) => claimAgreement(claimed, upTo(ours, 20 * (i + 1)), LABELS[0]!).outcome);

describe('a claim and our record over the same days', () => {
  const own = market(uniforms(1));

  test('the same figures are confirmed, and not before there are enough days', () => {
    const ours = line(own);
    const early = claimAgreement(ours, upTo(ours, CLAIM_DAYS_MIN), LABELS[0]!);
    expect([early.outcome, early.days]).toEqual(['too_early', CLAIM_DAYS_MIN - 1]);
    const later = claimAgreement(ours, upTo(ours, CLAIM_DAYS_MIN + 1), LABELS[0]!);
    expect(later).toMatchObject({ outcome: 'confirmed', days: CLAIM_DAYS_MIN, difference: { mean: 0 } });
    expect(later.claimed).toBe(later.own);
  });

  test('a claim that earns twelve points a year more is contradicted', () => {
    const found = claimAgreement(line(own.map((one) => one + 0.12 / 261)), line(own), LABELS[0]!);
    expect(found.outcome).toBe('contradicted');
    expect(found.difference!.mean).toBeCloseTo(0.12, 3);
  });

  test('one that earns as much less is contradicted too: it is of other rules', () => {
    expect(claimAgreement(line(own.map((one) => one - 0.12 / 261)), line(own), LABELS[0]!).outcome).toBe(
      'contradicted',
    );
  });

  test('days before our record began, and days that only one of the two has, count for nothing', () => {
    const ours = line(own);
    const since = LABELS[390]!;
    expect(claimAgreement(ours, ours, since)).toMatchObject({ outcome: 'too_early', days: 9, from: since });
    expect(claimAgreement(line(own, weekdays(10)), ours, LABELS[20]!)).toEqual({
      outcome: 'too_early',
      days: 0,
      from: null,
      to: null,
      claimed: 0,
      own: 0,
      difference: null,
    });
    // A day that is missing joins its neighbours: nothing is invented, and nothing is lost.
    const gap = { labels: LABELS.toSpliced(100, 1), data: ours.data.toSpliced(100, 1) };
    expect(claimAgreement(gap, ours, LABELS[0]!)).toMatchObject({ outcome: 'confirmed', days: 398 });
  });

  test('a record that lost everything is compared until then', () => {
    const lost = { labels: LABELS, data: LABELS.map((_, i) => (i < 50 ? 1 : 0)) };
    expect(claimAgreement(lost, line(own), LABELS[0]!)).toMatchObject({ outcome: 'too_early', days: 49 });
  });
});

describe('however often one looks', () => {
  const RUNS = 200;
  const of = (yearly: number, noise: number) => {
    const random = uniforms(7);
    return Array.from({ length: RUNS }, () => {
      const own = market(random);
      const claimed = own.map((one) => one + yearly / 261 + noise * (random() + random() - 1));
      return seen(line(claimed), line(own));
    });
  };
  const share = (all: readonly (readonly string[])[], outcome: string) =>
    all.filter((verdicts) => verdicts.includes(outcome)).length / RUNS;

  test('at most one in twenty claims at the edge of what may differ is ever contradicted', () => {
    expect(share(of(0.03, 0.001), 'contradicted')).toBeLessThanOrEqual(0.05);
  });

  test('at most one in twenty claims that differ by a little more is ever confirmed', () => {
    expect(share(of(0.0305, 0.001), 'confirmed')).toBeLessThanOrEqual(0.05);
  });

  test('true claims of the same rules with a small noise are nearly all confirmed, and far ones contradicted', () => {
    expect(share(of(0, 0.0005), 'confirmed')).toBeGreaterThan(0.95);
    expect(share(of(0.1, 0.0005), 'contradicted')).toBeGreaterThan(0.95);
  });
});
