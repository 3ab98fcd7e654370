import type { PlantedBug } from './planted-bug.ts';

const DRILL = 'tests/drill/drill.test.ts';

/** What staff read of trouble, and when. */
export const INCIDENT_BUGS: readonly PlantedBug[] = [
  {
    name: 'an exit that waits for an order of unknown fate wakes nobody',
    file: 'src/engine/incidents/order-incidents.ts',
    from: "return isInTheWay ? 'exit_waits_for_order' : 'order_unconfirmed';",
    to: "return 'order_unconfirmed';",
    suites: ['src/engine/incidents/order-incidents.test.ts'],
  },
  {
    name: 'one stumble is an incident',
    file: 'src/engine/incidents/repeated-problem.ts',
    from: 'return times >= timesMin && msBetween(firstAt, lastAt) >= lastsMs;',
    to: 'return times >= 1;',
    suites: ['src/engine/incidents/repeated-problem.test.ts'],
  },
  {
    name: 'a silence from before a restart ends an incident',
    file: 'src/engine/incidents/repeated-problem.ts',
    from: 'const quiet = Math.min(msBetween(lastSeenAt, now), msBetween(watchedSince, now));',
    to: 'const quiet = watchedSince === null ? 0 : msBetween(lastSeenAt, now);',
    suites: ['src/engine/incidents/repeated-problem.test.ts'],
  },
  {
    name: 'whoever says that a cause is over ends its incident, whatever happens',
    file: 'src/engine/incidents/repeated-problem.ts',
    from: 'Math.min(quiet, msBetween(lookedAgainAt, now)) >= LOOKED_AGAIN_MS',
    to: 'msBetween(lookedAgainAt, now) >= LOOKED_AGAIN_MS',
    suites: ['src/engine/incidents/repeated-problem.test.ts'],
  },
  {
    name: 'a freeze ends with a release from quarantine',
    file: 'src/engine/lifecycle/quarantine.ts',
    from: "if (from === 'pending' || from === 'active' || from === 'paused') return 'paused';",
    to: "if (from === 'pending' || from === 'active' || from === 'paused' || from === 'frozen') return 'paused';",
    suites: ['src/engine/lifecycle/quarantine.test.ts'],
  },
  {
    name: 'an incident that is seen again alarms again',
    file: 'src/records/incidents/incidents.ts',
    from: "if (written?.isNew === true || written?.severityBefore === 'today' || written?.severityBefore === 'watch')",
    to: 'if (written !== undefined)',
    suites: ['src/records/incidents/incidents.test.ts', DRILL],
  },
  {
    name: 'an open incident that is seen to be worse stays as mild as it began',
    file: 'src/records/incidents/incidents.ts',
    from: "severity = case when excluded.severity = 'act_now' then 'act_now' else i.severity end",
    to: 'severity = i.severity',
    suites: ['src/records/incidents/incidents.test.ts'],
  },
  {
    name: 'an incident never grows worse',
    file: 'src/engine/incidents/severity-at.ts',
    from: "? 'act_now' : severity;",
    to: '? severity : severity;',
    suites: [DRILL],
  },
  {
    name: 'nothing is said to wait while no trader would have seen it',
    file: 'src/web/operations/incidents/waiting-summary.ts',
    from: "isTraderSeen ? 'Nothing waits for you'",
    to: "isTraderSeen || true ? 'Nothing waits for you'",
    suites: ['src/web/operations/incidents/waiting-summary.test.ts'],
  },
];
