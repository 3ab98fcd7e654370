import type { PlantedBug } from './planted-bug.ts';

const FEES = 'src/trader/fees/fees.test.ts';
const RACE = 'tests/trading/many-traders.test.ts';
const BILLS = 'src/records/fees/fee-bills.ts';
const RULE = 'src/rules/fees/fee-bill.ts';
const RULE_OF_MARK = 'src/rules/fees/performance-fee.ts';

/** The performance fee. */
export const BILLING_BUGS: readonly PlantedBug[] = [
  {
    name: 'a period stays due after it was billed',
    file: BILLS,
    from: 'set high_water_mark_micro = b.mark, billed_through = b.through,',
    to: 'set high_water_mark_micro = b.mark,',
    suites: [FEES],
  },
  {
    name: 'two billing runs do not wait for each other',
    file: BILLS,
    from: 'order by d.id for update of d`.execute(trx);',
    to: 'order by d.id`.execute(trx);',
    suites: [FEES, RACE],
  },
  {
    name: 'money put in is billed as profit',
    file: RULE,
    from: 'performanceFee({ highWaterMark, netFlow, closingEquity: closingValue })',
    to: 'performanceFee({ highWaterMark, netFlow: ZERO_MICRO, closingEquity: closingValue })',
    suites: [FEES],
  },
  {
    name: 'the high-water mark is not raised by a bill',
    file: RULE_OF_MARK,
    from: 'nextHighWaterMark: profit > 0 ? closingEquity : adjustedMark }',
    to: 'nextHighWaterMark: adjustedMark }',
    suites: ['src/rules/fees/performance-fee.test.ts', FEES],
  },
  {
    name: 'the high-water mark falls with a loss',
    file: RULE_OF_MARK,
    from: 'nextHighWaterMark: profit > 0 ? closingEquity : adjustedMark }',
    to: 'nextHighWaterMark: closingEquity }',
    suites: ['src/rules/fees/performance-fee.test.ts', FEES],
  },
  {
    name: 'a profit that is still open is billed',
    file: RULE,
    from: 'worth === null ? settled : micro(Math.min(settled, worth))',
    to: 'worth === null ? settled : worth',
    suites: [FEES],
  },
  {
    name: 'what was earned after the cut-off is billed before its period ends',
    file: BILLS,
    from: "where e.ledger_account in ('realized', 'commission') and (due.is_closing or t.at < due.\"end\")), 0) as result",
    to: "where e.ledger_account in ('realized', 'commission')), 0) as result",
    suites: [FEES, RACE],
  },
  {
    name: 'the end of a deployment is never billed',
    file: 'src/rules/fees/due-period.ts',
    from: 'return billedThrough === endedAt || isAwaited ? null : { id, start, end: endedAt, isClosing: true };',
    to: 'return null;',
    suites: ['src/rules/fees/due-period.test.ts', FEES],
  },
  {
    name: 'a closing bill does not wait for the commissions of its broker',
    file: 'src/rules/fees/due-period.ts',
    from: 'const isAwaited = hasEstimates && endedAt > awaitsCommissionsAfter(now);',
    to: 'const isAwaited = false;',
    suites: ['src/rules/fees/due-period.test.ts', FEES],
  },
  {
    name: 'a fee is credited again at each correction',
    file: 'src/rules/fees/fee-correction.ts',
    from: 'credit: micro(Math.max(0, owed - fee))',
    to: 'credit: micro(Math.max(0, owed))',
    suites: ['src/rules/fees/fee-correction.test.ts', FEES],
  },
];
