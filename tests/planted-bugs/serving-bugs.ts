import type { PlantedBug } from './planted-bug.ts';

const DEPLOYMENTS = 'src/server/deployments/deployments.test.ts';
const SWITCHES = 'src/server/operations/kill-switches.test.ts';

/** What people ask for. */
export const SERVING_BUGS: readonly PlantedBug[] = [
  {
    name: 'an Idempotency-Key is ignored',
    file: 'src/server/http/answer-idempotently.ts',
    from: "if (typeof key !== 'string' || request.caller === null) return carryOut(null);",
    to: "if (typeof key !== 'number' || request.caller === null) return carryOut(null);",
    suites: [DEPLOYMENTS],
  },
  {
    name: 'a repeated key executes again when the first process has died',
    file: 'src/server/http/answer-idempotently.ts',
    from: 'const answer = await carryOut(repetitionId(claim));',
    to: 'const answer = await carryOut(null);',
    suites: [DEPLOYMENTS],
  },
  {
    name: 'someone else’s deployment can be read',
    file: 'src/server/deployments/deployment-reader.ts',
    from: 'const own = asked.filter(({ key, id }) => key === `${versions.get(id)?.user_id}/${id}`);',
    to: 'const own = asked.filter(({ id }) => versions.has(id));',
    suites: [DEPLOYMENTS],
  },
  {
    name: 'someone else’s deployment can be steered',
    file: 'src/records/deployments/deployments.ts',
    from: "    .where('id', '=', id)\n    .where('user_id', '=', userId)\n    .forUpdate()",
    to: "    .where('id', '=', id)\n    .forUpdate()",
    suites: ['src/server/deployments/own-deployment.test.ts'],
  },
  {
    name: 'the caps of a plan are read without holding the person',
    file: 'src/server/deployments/gates/refuse-plan.ts',
    from: '  await lockPerson(trx, userId);\n',
    to: '',
    suites: ['src/server/billing/billing.test.ts'],
  },
  {
    name: 'the cash of an account is claimed without holding it',
    file: 'src/records/brokerage/account-cash.ts',
    from: 'select pg_advisory_xact_lock(hashtextextended(${`account cash ${accountId}`}, 0))',
    to: 'select ${accountId}::text',
    suites: ['src/server/deployments/own-deployment.test.ts'],
  },
  {
    name: 'an unknown cash balance at the broker counts as enough',
    file: 'src/server/deployments/create-deployment.ts',
    from: 'awaitsCash: cash === null,',
    to: 'awaitsCash: false,',
    suites: [DEPLOYMENTS],
  },
  {
    name: 'suitability does not gate a deployment',
    file: 'src/rules/deployments/gates.ts',
    from: 'return isSuitable(strategyScore, clientScore) ? null',
    to: 'return clientScore >= 1 ? null',
    suites: ['src/rules/deployments/gates.test.ts'],
  },
  {
    name: 'a liquidation that is approved is undone by another command',
    file: 'src/engine/lifecycle/apply-command.ts',
    from: "if (requestedStatus === 'liquidated') return refused(",
    to: "if (requestedStatus === ('' as typeof requestedStatus)) return refused(",
    suites: ['src/server/deployments/own-deployment.test.ts'],
  },
  {
    name: 'any signed-in user has the operations desk',
    file: 'src/server/operations/find-support.ts',
    from: "if (user?.role !== 'support') return null;",
    to: 'if (user === undefined) return null;',
    suites: [SWITCHES],
  },
  {
    name: 'a kill switch requested again after a crash is set a second time',
    file: 'src/server/operations/kill-switches/set-kill-switch.ts',
    from: 'id: repetitionId ?? randomUUID(),',
    to: 'id: repetitionId === null ? randomUUID() : randomUUID(),',
    suites: [SWITCHES],
  },
  {
    name: 'a client who trades again lifts the halt of staff too',
    file: 'src/records/operations/kill-switches.ts',
    from: "lifted_at = clock_timestamp()\n    where scope = 'own' and target = ${user}",
    to: 'lifted_at = clock_timestamp()\n    where target = ${user}',
    suites: [SWITCHES],
  },
  {
    name: 'a decision on an order of unknown fate also applies to a later silence',
    file: 'src/records/execution/order-resolutions.ts',
    from: '\n  and (o.unknown_since is null or s.decided_at >= o.unknown_since)`',
    to: '`',
    suites: ['src/server/operations/operations-desk.test.ts'],
  },
  {
    name: 'an order of unknown fate is given the id of another order',
    file: 'src/server/operations/resolve-order.ts',
    from: 'if (brokerOrderId !== null && (await',
    to: 'if (brokerOrderId === id && (await',
    suites: ['src/server/operations/operations-desk.test.ts'],
  },
  {
    name: 'a broker in real time trades on simulated prices',
    file: 'src/processes/environment/broker-refusal.ts',
    from: "  if (clock === 'real')\n",
    to: "  if (clock === 'real' && market === 'replay')\n",
    suites: ['src/processes/environment/environment.test.ts'],
  },
  {
    name: 'a broker elsewhere counts as on this machine by the beginning of its name',
    file: 'src/processes/environment/broker-refusal.ts',
    from: '\\[::1\\])$/.test',
    to: '\\[::1\\])/.test',
    suites: ['src/processes/environment/environment.test.ts'],
  },
  {
    name: 'a broker that says another time than the market’s is accepted',
    file: 'src/processes/start/refuse-other-clock.ts',
    from: '  if (apartMs > APART_MAX_MS)\n',
    to: '  if (apartMs < -APART_MAX_MS)\n',
    suites: ['src/processes/start/refuse-other-clock.test.ts'],
  },
];
