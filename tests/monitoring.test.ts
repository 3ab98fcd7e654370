// The dashboard and the alert rules read only figures that `/api/metrics` prints, with the labels that it prints, and each rule names a
// line of the runbook that exists.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { INCIDENT_KINDS, runbookAnchor } from '#engine/incidents/incident-kind.ts';
import { testApp } from './support/test-app.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDER = path.join(ROOT, 'packages/monitoring');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
};
const rules = (
  parse(read('packages/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap(({ rules: own }) => own);

type Panel = {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
};
const dashboard = JSON.parse(read('packages/monitoring/dashboard.json')) as {
  readonly panels: readonly Panel[];
};
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Prometheus makes them itself. */
const OF_PROMETHEUS = ['up', 'ALERTS'];
const FUNCTIONS = new Set('max min sum rate absent vector histogram_quantile by or and'.split(' '));

/** The names of figures in an expression, each with the labels that it asks for. */
function askedIn(expr: string): { readonly name: string; readonly labels: readonly string[] }[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(/,\s*/));
  const bare = expr.replaceAll(/\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-zA-Z_][a-zA-Z0-9_]*)\b(\{[^}]*\})?(?![^{]*\})/g)]
    .map(([, name, picked]) => ({
      name: name!,
      labels: [...grouped, ...[...(picked ?? '').matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label!)],
    }))
    .filter(
      ({ name }) => !FUNCTIONS.has(name) && !/^\d/.test(name) && !/^(?:m|h|s|__rate_interval)$/.test(name),
    );
}

const app = await testApp();
const printed = (await app.request({ url: '/api/metrics' })).text;
const lines = printed.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const names = new Set(
  [...printed.matchAll(/^# TYPE (\S+)/gm)].flatMap(([, name]) =>
    ['', '_bucket', '_sum', '_count'].map((ending) => name! + ending),
  ),
);

test('every figure of the dashboard and of the rules is printed by the metrics', () => {
  const unknown = expressions.flatMap(([place, expr]) =>
    askedIn(expr)
      .filter(({ name }) => !names.has(name) && !OF_PROMETHEUS.includes(name))
      .map(({ name }) => `${place}: ${name}`),
  );
  expect(unknown).toEqual([]);
  expect(expressions.length).toBeGreaterThan(40);
});

test('every figure that the metrics print is on the dashboard', () => {
  const shown = new Set(expressions.flatMap(([, expr]) => askedIn(expr).map(({ name }) => name)));
  const types = [...printed.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
  expect(
    types.filter((name) => ![name, `${name}_bucket`, `${name}_count`].some((one) => shown.has(one))),
  ).toEqual([]);
});

test('a figure that nobody prints is noticed', () => {
  expect(
    askedIn(
      'sum by (le) (rate(no_such_seconds_bucket{stage="close",le!="1"}[5m])) / max(trader_lag_seconds)',
    ),
  ).toEqual([
    { name: 'no_such_seconds_bucket', labels: ['le', 'stage', 'le'] },
    { name: 'trader_lag_seconds', labels: ['le'] },
  ]);
  expect(names.has('no_such_seconds_bucket')).toBe(false);
});

test('the labels that are asked for exist, the values of stages, states and queues too', () => {
  const asked = expressions.flatMap(([place, expr]) =>
    [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name, picked]) =>
      [...picked!.matchAll(/(\w+)="([^"]+)"/g)].map(([, label, value]) => ({ place, name, label, value })),
    ),
  );
  const missing = asked.filter(
    ({ name, label, value }) =>
      !OF_PROMETHEUS.includes(name!) &&
      label !== 'severity' &&
      !lines.some((line) => line.startsWith(`${name}{`) && line.includes(`${label}="${value}"`)),
  );
  // Feeds are known once a trader has reported.
  expect(missing.filter(({ name }) => name !== 'feed_prices')).toEqual([]);
});

test('each rule names a line of the runbook, and each line of the metrics a rule', () => {
  const runbook = read('docs/operators/runbook.md');
  const section = runbook.split('## Alerts from the metrics')[1] ?? '';
  const described = new Set([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!));
  const anchors = new Set(INCIDENT_KINDS.map(runbookAnchor));
  const faults = rules.flatMap(({ alert, annotations: { runbook: place } }) => {
    const anchor = place.replace('docs/operators/runbook.md#', '');
    if (anchor === 'alerts-from-the-metrics') return described.has(alert) ? [] : [`${alert}: no line`];
    if (anchor.startsWith('{{')) return [];
    return anchors.has(anchor) ? [] : [`${alert}: ${anchor}`];
  });
  expect(faults).toEqual([]);
  const own = rules.filter(({ annotations }) => annotations.runbook.endsWith('#alerts-from-the-metrics'));
  expect([...described].toSorted()).toEqual(own.map(({ alert }) => alert).toSorted());
  expect(rules.every(({ labels }) => ['act_now', 'today'].includes(labels.severity))).toBe(true);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.runIf(hasPromtool)('Prometheus reads the rules, and each fires where it should', () => {
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['check', 'config', 'prometheus.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
    expect([args.join(' '), status, status === 0 ? '' : stdout + stderr]).toEqual([args.join(' '), 0, '']);
  }
});
