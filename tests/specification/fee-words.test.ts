// The agreement, its example and the bills say the same: the numbers of the text are those that the rules compute with.
import { expect, it } from 'vitest';
import { agreementFor } from '#rules/agreements/investment-agreement.ts';
import { COMMISSION_WAIT_DAYS } from '#rules/fees/due-period.ts';
import { FEE_EXAMPLE_DEPOSIT } from '#rules/fees/fee-example.ts';
import { type FeeFigures, feeBill } from '#rules/fees/fee-bill.ts';
import { feeDueAt, lastFeePeriodEnd } from '#rules/fees/fee-period.ts';
import { feeStatementText } from '#rules/fees/fee-statement-text.ts';
import { PERFORMANCE_FEE_PERCENT } from '#rules/fees/performance-fee.ts';
import { FICTITIOUS_TERMS, provider } from '#rules/provider.ts';
import { stageAt, unpaidStage } from '#rules/fees/unpaid-fee.ts';
import { DAY_MS, instant, parseInstant } from '#units/instant.ts';
import { fromMicro, subtract, toMicro, ZERO_MICRO } from '#units/money.ts';

const { sections } = agreementFor(
  { name: 'Ana', email: 'ana@example.test', countryName: 'Switzerland' },
  { installation: 'provider', provider: provider(FICTITIOUS_TERMS) },
);
const fees = sections.find(({ heading }) => heading.endsWith('Fee and payment terms'))!.paragraphs.join('\n');
const numberIn = (pattern: RegExp) => Number(pattern.exec(fees)?.[1]?.replaceAll(',', ''));

it('bills the rate that the agreement names, on what the example names, and as it names it', () => {
  const example = fees.split('\n').find((paragraph) => paragraph.startsWith('An example.'))!;
  const dollars = [...example.matchAll(/\$([\d,]+)/g)].map(([, amount]) =>
    Number(amount!.replaceAll(',', '')),
  );
  const [deposit, worth1, profit1, fee1, mark1, worth2, worth3, open3, settled3, profit3, fee3] = dollars;
  expect(deposit).toBe(fromMicro(FEE_EXAMPLE_DEPOSIT));
  let mark = toMicro(deposit!);
  const bill = (settled: number, worth: number) => {
    const figures: FeeFigures = {
      highWaterMark: mark,
      capitalBefore: FEE_EXAMPLE_DEPOSIT,
      capital: FEE_EXAMPLE_DEPOSIT,
      settledResult: subtract(toMicro(settled), FEE_EXAMPLE_DEPOSIT),
      worth: toMicro(worth),
    };
    const billed = feeBill(figures);
    mark = billed.nextHighWaterMark;
    return [fromMicro(billed.profit), fromMicro(billed.fee), fromMicro(mark)];
  };
  expect(bill(worth1!, worth1!)).toEqual([profit1, fee1, mark1]);
  expect(bill(worth2!, worth2!)).toEqual([0, 0, mark1]);
  expect(bill(settled3!, worth3!)).toEqual([profit3, fee3, settled3]);
  expect(worth3! - settled3!).toBe(open3);
  expect(numberIn(/performance fee of (\d+)% of profit/)).toBe((fee1! / profit1!) * 100);
});

it('is due, reminded of, stopped and closable on the days that the agreement names', () => {
  const end = lastFeePeriodEnd('monthly', parseInstant('2026-04-10T00:00:00Z'));
  const due = feeDueAt(end);
  expect((due - end) / DAY_MS).toBe(numberIn(/due within (\d+) days/));
  const daysOf = (stage: 'reminded' | 'stopped' | 'closable') => (stageAt(stage, due) - due) / DAY_MS;
  expect(daysOf('reminded')).toBe(numberIn(/on the due date and after (\d+) days/));
  expect(daysOf('stopped')).toBe(numberIn(/After (\d+) days we open no new exposure/));
  expect(daysOf('closable')).toBe(numberIn(/After (\d+) days we may close your account/));
  expect(unpaidStage(due, instant(due))).toBe('overdue');
  expect(COMMISSION_WAIT_DAYS).toBe(numberIn(/waits up to (\d+) days for the commissions/));
});

it('explains a bill in the words of the agreement, with the figures that it was made of', () => {
  const figures: FeeFigures = {
    highWaterMark: toMicro(11_000),
    capitalBefore: toMicro(10_000),
    capital: toMicro(10_000),
    settledResult: toMicro(1_500),
    worth: toMicro(11_900),
  };
  const periodEnd = parseInstant('2026-04-01T00:00:00Z');
  const stated = {
    id: 'a',
    strategyName: 'Calm Trend',
    billedAt: periodEnd,
    number: 3,
    isClosing: false,
    periodStart: parseInstant('2026-03-01T00:00:00Z'),
    periodEnd,
    figures,
    bill: feeBill(figures),
    hasEstimates: false,
    credited: ZERO_MICRO,
    feePercent: PERFORMANCE_FEE_PERCENT,
    dueAt: feeDueAt(periodEnd),
    paidAt: null,
    paid: ZERO_MICRO,
    chargedBack: ZERO_MICRO,
    chargedBackAt: null,
    refunded: ZERO_MICRO,
  };
  const { explanation, lines } = feeStatementText(stated, { client: 'Ana', terms: FICTITIOUS_TERMS });
  for (const paragraph of explanation.paragraphs.slice(0, 2)) expect(fees).toContain(paragraph);
  const valueOf = (label: string) => lines.find((line) => line.label === label)?.value;
  expect([
    valueOf('Opening high-water mark'),
    valueOf('Settled value'),
    valueOf('Profit'),
    valueOf('Rate'),
  ]).toEqual(['$11,000.00', '$11,500.00', '$500.00', '30%']);
  expect([valueOf('Fee'), valueOf('Due')]).toEqual(['$150.00', '$150.00 on 6 April 2026']);
});
