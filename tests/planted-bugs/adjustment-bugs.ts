import type { PlantedBug } from './planted-bug.ts';

const RACES = 'tests/trading/adjustment-races.test.ts';
const APPLIED = 'src/trader/adjustments/apply-adjustments.test.ts';
const SHORTFALLS = 'tests/trading/adjusted-shortfalls.test.ts';
const EXTERNAL = 'tests/trading/external-sales.test.ts';
const DESK = 'src/server/operations/adjustments.test.ts';

/** What two people of support correct by hand. */
export const ADJUSTMENT_BUGS: readonly PlantedBug[] = [
  {
    name: 'two traders that look at the same moment apply an adjustment twice',
    file: 'src/records/adjustments/adjustments.ts',
    from: "if (locked?.status !== 'approved') return 'over';",
    to: "if (locked === undefined) return 'over';",
    suites: [RACES],
  },
  {
    name: 'an adjustment is applied, and the difference it answers stays open',
    file: 'src/records/adjustments/adjustments.ts',
    from: 'update broker_inbox set hold_code = null, hold_params = null, closed_at = clock_timestamp()',
    to: 'update broker_inbox set hold_code = null, hold_params = null',
    suites: [DESK],
  },
  {
    name: 'a person approves their own proposal',
    file: 'src/server/operations/adjustments/decide-adjustment.ts',
    from: 'if (approves && proposal.proposedBy === support.id)',
    to: "if (approves && proposal.proposedBy === ('' as typeof support.id))",
    suites: [DESK],
  },
  {
    name: 'the database lets a person approve their own proposal',
    file: 'src/records/schema/operations.sql',
    from: 'or (decided_by is not null and decided_by <> proposed_by)),',
    to: 'or decided_by is not null),',
    suites: [RACES],
  },
  {
    name: 'a difference that has since changed is corrected anyway',
    file: 'src/trader/adjustments/apply-adjustments.ts',
    from: "locked === 'changed' ? decideDifference('changed') : await judge(trx, context, active, proposal);",
    to: "proposal.id === '' ? await judge(trx, context, active, proposal) : null;",
    suites: [APPLIED],
  },
  {
    name: 'an adjustment does not wait for the order that is at the broker',
    file: 'src/engine/adjustments/decide-adjustment.ts',
    from: '!order.isIntended,',
    to: 'order.isIntended,',
    suites: [APPLIED],
  },
  {
    name: 'a busted fill still counts as filled',
    file: 'src/engine/adjustments/adjust-order.ts',
    from: 'const filled = quantity(order.filled + filledChange);',
    to: 'const { filled } = order;',
    suites: [RACES],
  },
  {
    name: 'the shortfall of an adjustment is not put into suspense',
    file: 'src/engine/adjustments/suspense-entry.ts',
    from: '...(shortfall === null ? [] : [shortfall]),',
    to: '',
    suites: ['src/engine/adjustments/suspense-entry.test.ts', SHORTFALLS],
  },
  {
    name: 'units that a deployment gave up still count as someone else’s',
    file: 'src/engine/adjustments/suspense-entry.ts',
    from: '...(isOfExternalTrade ? [releasedEntry(proposal, at)] : []),',
    to: '',
    suites: ['src/engine/adjustments/suspense-entry.test.ts', EXTERNAL],
  },
  {
    name: 'an external sale is given up although the owner has bought some of it back',
    file: 'src/engine/adjustments/judge-difference.ts',
    from: ' || gap !== 0 || isTradedSince(written, account)) return',
    to: ' || gap !== 0) return',
    suites: [EXTERNAL],
  },
  {
    name: 'a deployment gives up more than it holds, and its position reverses',
    file: 'src/engine/adjustments/decide-adjustment.ts',
    from: 'return units !== 0 && Math.sign(units) === -Math.sign(held) && Math.abs(units) <= Math.abs(held);',
    to: 'return units !== 0 && Math.sign(units) === -Math.sign(held);',
    suites: [EXTERNAL],
  },
  {
    name: 'a bust is booked as a sale at its price',
    file: 'src/engine/portfolio/apply-adjustment.ts',
    from: 'if (staysOnItsSide && Math.sign(cost) === Math.sign(after))',
    to: 'if (staysOnItsSide && Math.sign(cost) > 1)',
    suites: ['src/engine/portfolio/apply-adjustment.test.ts'],
  },
  {
    name: 'an execution that is reversed after an ex-date keeps its dividend',
    file: 'src/trader/adjustments/book-adjustment.ts',
    from: 'if (undone !== null && undoes !== null)\n    trades.push',
    to: 'if (undone !== null && undoes === null)\n    trades.push',
    suites: ['src/trader/adjustments/apply-adjustments.test.ts'],
  },
  {
    name: 'a pair that is reversed keeps the swaps that it earned',
    file: 'src/trader/end-of-day/missed-actions.ts',
    from: "if (instrument.kind === 'forex') return listMissedSwaps",
    to: "if (instrument.kind !== 'forex') return listMissedSwaps",
    suites: ['tests/trading/missed-swaps.test.ts'],
  },
];
