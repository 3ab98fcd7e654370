import type { PlantedBug } from './planted-bug.ts';

const FAULTS = 'src/trader/faults.test.ts';
const HALTS = 'src/trader/halts.test.ts';
const WISHES = 'src/trader/limits-and-wishes.test.ts';
const SEND = 'src/trader/send-orders.test.ts';
const SEND_FILE = 'src/trader/send-orders.ts';
const WAITS_FILE = 'src/trader/why-it-waits.ts';

/** What must hold at the moment when an order leaves, and what is made of an answer that does not come. */
export const SENDING_BUGS: readonly PlantedBug[] = [
  {
    name: 'an order whose answer was lost is sent again',
    file: SEND_FILE,
    from: "await settle(context, order, { status: 'unknown', reason: result.reason });",
    to: "await settle(context, order, { status: 'intended', reason: result.reason });",
    suites: [FAULTS],
  },
  {
    name: 'an order that the broker does not list is sent again',
    file: 'src/trader/unknown-orders.ts',
    from: "await changeOwnOrder(context, order, { status: 'unknown', reason });",
    to: "await changeOwnOrder(context, order, { status: 'intended', reason });",
    suites: [FAULTS],
  },
  {
    name: 'an order of unknown fate is let go after one look',
    file: 'src/trader/unknown-orders.ts',
    from: '    guard.absentSince.set(order.id, context.now);\n    return;\n  }\n  if (context.now - first <= limits.listLagMs) return;',
    to: '    guard.absentSince.set(order.id, context.now);\n  }\n  if (first !== undefined && context.now - first > limits.listLagMs) return;',
    suites: [HALTS],
  },
  {
    name: 'what was seen before a gap counts as seen without one',
    file: 'src/trader/session-guard.ts',
    from: '  guard.absentSince.clear();\n',
    to: '',
    suites: ['src/trader/session-guard.test.ts', HALTS],
  },
  {
    name: 'nothing is reconciled after a gap before orders leave',
    file: 'src/trader/session-guard.ts',
    from: '  guard.upSince = null;\n',
    to: '',
    suites: ['src/trader/session-guard.test.ts', HALTS],
  },
  {
    name: 'one refused permission ends the connection',
    file: 'src/trader/session-guard.ts',
    from: 'if (lasts && guard.refusals >= REFUSALS_MIN)',
    to: 'if (guard.refusals >= 1)',
    suites: ['src/trader/session-guard.test.ts', WISHES],
  },
  {
    name: 'a pause is not read again before sending',
    file: SEND_FILE,
    from: "if (permission === 'none' || record.wishedStatus === 'paused') {",
    to: "if (permission === 'none' && record.status !== 'paused') {",
    suites: ['src/trader/races.test.ts', WISHES],
  },
  {
    name: 'a freeze is not read again before sending',
    file: SEND_FILE,
    from: "if (permission === 'exits_only' || record.frozenAt !== null) {",
    to: 'if (false as boolean) {',
    suites: [WISHES],
  },
  {
    name: 'the agreement is not read again before sending',
    file: SEND_FILE,
    from: 'if (!gates.agreementSigned)',
    to: 'if (false as boolean)',
    suites: [WISHES],
  },
  {
    name: 'suitability is not read again before sending',
    file: SEND_FILE,
    from: 'if (!gates.suitable) {',
    to: 'if (false as boolean) {',
    suites: ['src/trader/gates-at-sending.test.ts'],
  },
  {
    name: 'a revoked connection is not seen before sending',
    file: SEND_FILE,
    from: 'if (!gates.connectionActive || gates.halt !== null) return null;',
    to: 'if (gates.halt !== null) return null;',
    suites: ['src/trader/gates-at-sending.test.ts'],
  },
  {
    name: 'a kill switch is looked at before the list of orders, and not again',
    file: SEND_FILE,
    from: 'if (!gates.connectionActive || gates.halt !== null) return null;',
    to: 'if (!gates.connectionActive) return null;',
    suites: ['src/trader/gates-at-sending.test.ts', HALTS],
  },
  {
    name: 'an order leaves however long ago its gates were looked at',
    file: SEND_FILE,
    from: 'const GATES_HOLD_MS = 800;',
    to: 'const GATES_HOLD_MS = 86_400_000;',
    suites: [SEND],
  },
  {
    name: 'the fence is read and not looked at',
    file: 'src/trader/shard-hold.ts',
    from: "    if (locked.size < wanted.size) throw new ShardLost('its shard was taken by another trader');\n",
    to: '',
    suites: ['src/trader/shard-hold.test.ts'],
  },
  {
    name: 'a claim does not raise the fence',
    file: 'src/records/trading-shards.ts',
    from: 'fence = s.fence + 1,',
    to: 'fence = s.fence,',
    suites: ['src/records/shard-claims.test.ts'],
  },
  {
    name: 'a lease never runs out on the holder’s own clock',
    file: 'src/trader/shard-hold.ts',
    from: 'lease.presence.isLive() && steadyMs() < lease.lastsUntil;',
    to: 'lease.presence.isLive();',
    suites: ['src/trader/shard-hold.test.ts', SEND],
  },
  {
    name: 'a shard is taken although its lease runs',
    file: 'src/records/trading-shards.ts',
    from: 'and (holder is null or expires_at < clock_timestamp()',
    to: 'and (holder is null or expires_at > clock_timestamp()',
    suites: ['src/records/shard-claims.test.ts'],
  },
  {
    name: 'opposite orders of one account meet in the market',
    file: WAITS_FILE,
    from: "if (purpose !== 'protective' && others.some(isMet))",
    to: 'if (false as boolean)',
    suites: [HALTS],
  },
  {
    name: 'an exit sells what the broker does not show as held',
    file: WAITS_FILE,
    from: '  if (isThere) return null;\n',
    to: '  if (isThere || !isThere) return null;\n',
    suites: [FAULTS],
  },
  {
    name: 'a strategy sells what the broker does not show as held',
    file: WAITS_FILE,
    from: "  if (purpose !== 'rebalance') return quantity;\n",
    to: "  if (purpose === 'rebalance') return 0;\n",
    suites: ['src/trader/what-is-there.test.ts'],
  },
  {
    name: 'a fill that only the positions show is taken for a holding of the owner',
    file: 'src/trader/read-positions.ts',
    from: 'if (unbooked === undefined) guard.foreign.set(symbol, foreign);',
    to: 'guard.foreign.set(symbol, foreign);',
    suites: ['src/trader/missed-fills.test.ts'],
  },
  {
    name: 'what works at the broker is not cancelled after a pause',
    file: 'src/trader/cancel-orders.ts',
    from: "if (tradingPermission(record.status) === 'none' || record.wishedStatus === 'paused') return true;",
    to: '',
    suites: [WISHES],
  },
  {
    name: 'a question of the broker that we do not know is answered with yes',
    file: 'src/adapters/broker/interactive-brokers/reply-policy.ts',
    from: 'return messageIds.length > 0 && messageIds.every((id) => CONFIRMED.has(id));',
    to: 'return messageIds.length > 0;',
    suites: ['src/adapters/broker/interactive-brokers/parse-answers.test.ts'],
  },
  {
    name: 'a broken answer to an order is read as a refusal',
    file: 'src/adapters/broker/interactive-brokers/parse-submit-answer.ts',
    from: "if (status >= 500) return { shape: 'unclear', reason: said ?? `HTTP ${status}` };",
    to: "if (status >= 500) return { shape: 'rejected', reason: said ?? `HTTP ${status}` };",
    suites: ['src/adapters/broker/interactive-brokers/parse-answers.test.ts'],
  },
  {
    name: 'the proof of the live session token is not checked',
    file: 'src/adapters/broker/interactive-brokers/live-session-token.ts',
    from: 'given.length === expected.length && timingSafeEqual(given, expected) ? token : null',
    to: 'given.length === expected.length ? token : null',
    suites: ['src/adapters/broker/interactive-brokers/live-session-token.test.ts'],
  },
];
