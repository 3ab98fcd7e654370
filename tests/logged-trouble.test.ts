// Whatever is logged as a warning or an error is written as an incident as well, or stands here with the reason why not.
import path from 'node:path';
import { expect, test } from 'vitest';
import { INCIDENT_KINDS, type IncidentKind } from '#engine/incidents/incident-kind.ts';
import { readHouse } from '../scripts/house/read-house.ts';

type Sense = { readonly incident: readonly IncidentKind[] } | { readonly none: string };

const WITHOUT_DATABASE = 'without a database nothing can be written; health, metrics and the worker see it';
const ASKED = 'who asked gets no answer and is told so; the state of the connection has its own incident';

/** By file, then by what is logged, as the code has it. */
const LOGGED: { readonly [file: string]: { readonly [message: string]: Sense } } = {
  'src/processes/anchors/anchor-incidents.ts': {
    'the audit log could not be anchored': { incident: ['audit_unanchored'] },
    'the audit log is not what was anchored': { incident: ['audit_rewritten'] },
    'anchors could not be sent away': { incident: ['audit_unsent'] },
    'an incident was not noted': { none: WITHOUT_DATABASE },
  },
  'src/processes/roles/run-worker.ts': {
    'a job failed': { incident: ['job_dead'] },
    'the chats of the bot': { none: 'it is asked again; who links a chat sees that it is not linked' },
  },
  'src/processes/wiring/connect-tracing.ts': {
    'tracing: ${message}': { none: 'only traces are lost; a collector is none of the product' },
  },
  'src/server/agreements/answered.ts': {
    'the signing service does not answer': { none: 'who signs is told so, and tries again' },
  },
  'src/server/http/answer-errors.ts': { 'request failed': { none: 'counted by route in the metrics' } },
  'src/server/mail/deliver-mail.ts': {
    'a mail of unknown fate is not sent again': { none: 'its notice is in the app' },
    'mail not sent': { incident: ['job_dead'] },
  },
  'src/server/payments/serve-payment-notices.ts': {
    'the payment service did not answer about its notice': { none: 'the vendor sends it again' },
  },
  'src/server/operations/get-health.ts': { 'the database does not answer': { none: WITHOUT_DATABASE } },
  'src/server/operations/get-readiness.ts': { 'not ready': { none: WITHOUT_DATABASE } },
  'src/server/stream/trace-pushes.ts': {
    'the fills on streams were not traced': { none: 'only figures are lost; the fills were written' },
  },
  'src/server/stream/stream-hub.ts': {
    'the stream could not be notified': { none: 'its streams end, and the browsers read again' },
  },
  'src/trader/broker-requests/request-desk.ts': { '${key} was not answered': { none: ASKED } },
  'src/trader/broker-requests/start-answering.ts': { 'requests could not be read': { none: ASKED } },
  'src/trader/cash/check-cash.ts': {
    'the cash of an account is not what our books say': { incident: ['cash_unexplained'] },
  },
  'src/trader/execution/send-orders.ts': {
    'the fate of an order is unknown': { incident: ['order_unconfirmed'] },
  },
  'src/trader/leases/shard-lease.ts': {
    'its shards were not renewed': { none: WITHOUT_DATABASE },
    'its shards could not be given back': { none: 'they run out, and another trader takes them' },
  },
  'src/trader/reconciliation/adopt-lost-orders.ts': {
    'an order from after the restored moment is back': { incident: ['database_restored'] },
  },
  'src/trader/reconciliation/settle-after-restore.ts': {
    'an order from after the restored moment is nobody’s': { incident: ['database_restored'] },
  },
  'src/trader/reconciliation/reconcile-orders.ts': {
    'an execution of no order of ours': { none: 'the client’s own trade; what it leaves is a difference' },
    'the cancellation of an order is not confirmed': { incident: ['order_unconfirmed'] },
    'executions of an order are missing': { incident: ['order_unconfirmed'] },
    'an order that had ended works at the broker': { incident: ['order_failing'] },
  },
  'src/trader/reconciliation/reconcile-positions.ts': {
    'the account holds something else than our books say': { incident: ['position_unexplained'] },
  },
  'src/trader/reconciliation/resolve-in-flight.ts': {
    'an order is unconfirmed': { incident: ['order_unconfirmed'] },
  },
  'src/trader/reconciliation/unread-rows.ts': {
    'rows of the broker cannot be read': { incident: ['row_unread', 'instrument_unsure'] },
  },
  'src/trader/trader.ts': {
    'no tick was possible': { none: WITHOUT_DATABASE },
    'the latencies were not written': { none: 'only figures wait; they are written with the next tick' },
  },
  // Its caller names the incident; see below.
  'src/trader/trading-context.ts': { '${where} failed': { incident: [] } },
};

/** Calls of noteProblem that leave the incident to another place. */
const LEFT: { readonly [file: string]: { readonly [where: string]: readonly IncidentKind[] } } = {
  'src/trader/reconciliation/book-news.ts': { 'execution ${executionId}': ['execution_held'] },
  'src/trader/reconciliation/reconcile-orders.ts': { 'execution ${id}': ['execution_held'] },
};

const SOURCES = readHouse(path.resolve(import.meta.dirname, '..')).filter(
  ({ file }) =>
    /^src\/(?:trader|server|processes|results|adapters|records)\//.test(file) && !file.endsWith('.test.ts'),
);

/** The text of each call, from its parenthesis to the one that closes it. */
function callsOf(text: string, name: RegExp): string[] {
  return [...text.matchAll(name)].map(({ index, 0: head }) => {
    let depth = 1;
    let end = index + head.length;
    while (depth > 0 && end < text.length) {
      if (text[end] === '(') depth += 1;
      if (text[end] === ')') depth -= 1;
      end += 1;
    }
    return text.slice(index + head.length, end - 1);
  });
}

const loggedIn = (text: string) => callsOf(text, /\b(?:logger|log)\??\.(?:warn|error)\(/g);
const leftIn = (text: string) =>
  callsOf(text, /\bnoteProblem\(/g).filter((call) => /,\s*null,?\s*$/.test(call));

/** Calls that no message of the list is part of, and messages that no call has. */
function faultsOf(calls: readonly string[], messages: readonly string[]): string[] {
  return [
    ...calls.filter((call) => !messages.some((message) => call.includes(message))),
    ...messages.filter((message) => !calls.some((call) => call.includes(message))),
  ];
}

test('each warning and each error that is logged is an incident, or says why it is none', () => {
  const faults = SOURCES.flatMap(({ file, text }) =>
    faultsOf(loggedIn(text), Object.keys(LOGGED[file] ?? {})).map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
  const known = new Set(SOURCES.map(({ file }) => file));
  expect(Object.keys(LOGGED).filter((file) => !known.has(file))).toEqual([]);
});

test('a problem that is left to another place names the incident that is written there', () => {
  const faults = SOURCES.flatMap(({ file, text }) =>
    faultsOf(leftIn(text), Object.keys(LEFT[file] ?? {})).map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('the kinds that are named exist, and a new warning or a lost one is noticed', () => {
  const senses = Object.values(LOGGED).flatMap((messages) => Object.values(messages));
  const named = [
    ...senses.flatMap((sense) => ('incident' in sense ? sense.incident : [])),
    ...Object.values(LEFT).flatMap((places) => Object.values(places).flat()),
  ];
  expect(named.filter((kind) => !INCIDENT_KINDS.includes(kind))).toEqual([]);
  const text = "context.logger.warn(\n  { order: f(1) },\n  'a new one',\n);\nlogger.info({}, 'c');";
  expect(faultsOf(loggedIn(text), ['an old one'])).toEqual([
    expect.stringContaining('a new one'),
    'an old one',
  ]);
  expect(
    leftIn('noteProblem(context, where, error, null);noteProblem(context, where, error, about)'),
  ).toHaveLength(1);
});
