import type { PlantedBug } from './planted-bug.ts';

const EXPECTATION = 'src/engine/expectation/expectation.test.ts';
const JUDGE = 'src/engine/expectation/judge-day.ts';
const TRIPWIRE = 'tests/trading/tripwire.test.ts';

/** The expected range, its tripwire, and what its owner chose for red. */
export const EXPECTATION_BUGS: readonly PlantedBug[] = [
  {
    name: 'below its record something new is opened all the same',
    file: 'src/engine/risk/approve.ts',
    from: "  if (state.reaction === 'exits_only') return { code: 'below_record' };\n",
    to: '',
    suites: ['src/engine/risk/approve.test.ts', 'src/engine/step.test.ts'],
  },
  {
    name: 'returns below the record are not read again before sending',
    file: 'src/engine/execution/orders/submit-checks.ts',
    from: "  if (deployment.reaction === 'exits_only') return 'below_record';\n",
    to: '',
    suites: ['src/engine/execution/orders/submit-checks.test.ts'],
  },
  {
    name: 'a day is judged twice',
    file: JUDGE,
    from: '  if (last !== null && day.date <= last.date) return before;\n',
    to: '',
    suites: [EXPECTATION],
  },
  {
    name: 'days of a pause are held against the strategy',
    file: JUDGE,
    from: ' || !last.follows',
    to: '',
    suites: [EXPECTATION],
  },
  {
    name: 'red ends by itself',
    file: JUDGE,
    from: "state === 'red' || ",
    to: '',
    suites: [EXPECTATION],
  },
  {
    name: 'acknowledging keeps the evidence',
    file: 'src/records/expectation/tripwire-evidence.ts',
    from: 'set evidence = ${JSON.stringify(NO_EVIDENCE)}::jsonb, acknowledged',
    to: 'set acknowledged',
    suites: [TRIPWIRE],
  },
];
