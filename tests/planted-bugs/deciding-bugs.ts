import type { PlantedBug } from './planted-bug.ts';

const STEP = 'src/engine/step.test.ts';
const END_OF_DAY = 'src/trader/end-of-day/end-of-day.test.ts';

/** Amounts, sizes, limits, bars and end-of-day processing. */
export const DECIDING_BUGS: readonly PlantedBug[] = [
  {
    name: 'money keeps a fraction of a micro-unit',
    file: 'src/units/money.ts',
    from: 'return micro(roundHalfEven((quantity * price * multiplier) / 100));',
    to: 'return ((quantity * price * multiplier) / 100) as Micro;',
    suites: ['src/engine/portfolio/apply-fill.test.ts'],
  },
  {
    name: 'halves are rounded up, not to even',
    file: 'src/units/round.ts',
    from: 'return value + NO_FRACTION - NO_FRACTION;',
    to: 'return Math.floor(value + 0.5);',
    suites: ['src/units/round.test.ts'],
  },
  {
    name: 'commission is forgotten in the cash',
    file: 'src/engine/portfolio/apply-fill.ts',
    from: 'const cash = micro(profit - holdings - fill.commission);',
    to: 'const cash = micro(profit - holdings);',
    suites: ['src/engine/portfolio/apply-fill.test.ts'],
  },
  {
    name: 'the client order id is drawn, not derived',
    file: 'src/engine/order/client-order-id.ts',
    from: '${purpose}|${attempt}`);',
    to: '${purpose}|${attempt}|${Math.random()}`);',
    suites: [STEP],
  },
  {
    name: 'a second attempt gets the id of the first',
    file: 'src/engine/rebalance/order-builder.ts',
    from: 'const attempt = (builder.attempts.get(key) ?? 0) + 1;',
    to: 'const attempt = 1;',
    suites: [STEP],
  },
  {
    name: 'working orders are not counted against the cash',
    file: 'src/engine/risk/budget.ts',
    from: '    cash -= claim.cash;\n',
    to: '',
    suites: ['src/engine/risk/budget.test.ts'],
  },
  {
    name: 'approval no longer looks at the cash',
    file: 'src/engine/risk/approve.ts',
    from: 'if (claim.cash > budget.cash || claim.exposure > budget.exposure)',
    to: 'if (claim.exposure > budget.exposure)',
    suites: ['src/engine/risk/approve.test.ts'],
  },
  {
    name: 'more may be sold than is held',
    file: 'src/engine/risk/approve.ts',
    from: 'if (after < 0 && after < held && !state.allowsShort) {',
    to: 'if (after < -held && !state.allowsShort) {',
    suites: ['src/engine/risk/approve.test.ts'],
  },
  {
    name: 'the allocation limit is ignored',
    file: 'src/engine/risk/max-allocation.ts',
    from: 'if (maxAllocationPercent <= 0) return weight;',
    to: 'if (maxAllocationPercent >= 0) return weight;',
    suites: [STEP],
  },
  {
    name: 'a freeze thaws when prices recover',
    file: 'src/engine/rebalance/revalue.ts',
    from: 'frozenAt: freezes ? at : state.frozenAt }',
    to: 'frozenAt: passesFreeze(state.limits, drawdown) ? at : null }',
    suites: [STEP],
  },
  {
    name: 'a stop loss is triggered by a price of zero',
    file: 'src/engine/rebalance/revalue.ts',
    from: 'return value > 0 && value < Number.POSITIVE_INFINITY;',
    to: 'return value >= 0;',
    suites: ['src/engine/rebalance/revalue.test.ts'],
  },
  {
    name: 'what a working order sells already is sold again',
    file: 'src/engine/risk/approve.ts',
    from: "if (side === draft.side) held += side === 'buy' ? remaining : -remaining;",
    to: "if (side === 'buy' && side === draft.side) held += remaining;",
    suites: ['src/engine/risk/approve.test.ts'],
  },
  {
    name: 'a bar ten times the last close is believed',
    file: 'src/engine/market-data/price-band.ts',
    from: 'return after >= before * 10 || after <= before / 10;',
    to: 'return false;',
    suites: ['src/engine/market-data/validate-bar.test.ts'],
  },
  {
    name: 'a bad bar is reported, and taken in all the same',
    file: 'src/engine/market-data/accept-bars.ts',
    from: 'if (fault !== null) return { accepted, refused: { bar, fault }, doubted: null };',
    to: 'if (fault !== null) return { accepted: [...accepted, bar], refused: { bar, fault }, doubted: null };',
    suites: ['src/engine/market-data/accept-bars.test.ts', 'tests/trading/prices.test.ts'],
  },
  {
    name: 'a split or dividend is applied again after a restart',
    file: 'src/records/portfolio/position-events.ts',
    from: "    on conflict do nothing`.execute(trx);\n  return inserted.numAffectedRows === 1n ? 'booked' : 'repeated';",
    to: "    on conflict do nothing`.execute(trx);\n  return inserted.numAffectedRows === 2n ? 'repeated' : 'booked';",
    suites: ['src/trader/end-of-day/end-of-day.test.ts'],
  },
  {
    name: 'a dividend is paid for what is held now, not for what was held at the close',
    file: 'src/engine/end-of-day/booked-position-event.ts',
    from: 'const applied = applyPositionEvent(portfolio, event, { instruments, marks, at, entitled });',
    to: 'const applied = applyPositionEvent(portfolio, event, { instruments, marks, at });',
    suites: [
      'src/engine/end-of-day/booked-position-event.test.ts',
      'src/trader/end-of-day/end-of-day.test.ts',
    ],
  },
  {
    name: 'limits look at the price after a split before the split is applied',
    file: 'src/engine/end-of-day/adjust-marks.ts',
    from: 'actions.some(({ exDate }) => exDate > counted && exDate <= next)',
    to: 'actions.length < 0',
    suites: [END_OF_DAY],
  },
];
