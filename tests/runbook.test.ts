// The runbook has an entry for each kind of incident and for nothing else, each with the same five parts.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { INCIDENT_KINDS, runbookAnchor } from '#engine/incidents/incident-kind.ts';

const TEXT = readFileSync(path.resolve(import.meta.dirname, '../docs/operators/runbook.md'), 'utf8');
const PARTS = ['Means', 'The product', 'Look at', 'Decide', 'Ends'];

/** The fragment that a heading has in a browser. */
const anchorOf = (heading: string) => heading.trim().toLowerCase().replaceAll(' ', '-');

const entriesOf = (text: string) =>
  text
    .split(/^### /m)
    .slice(1)
    .map((entry) => {
      const [heading = '', ...lines] = entry.split('\n');
      return { anchor: anchorOf(heading), body: lines.join('\n').split(/^## /m)[0] ?? '' };
    });

/** Kinds without an entry, entries without a kind, and parts that an entry lacks. */
function faultsOf(text: string, kinds: readonly string[]): string[] {
  const entries = entriesOf(text);
  const missing = kinds.filter((kind) => !entries.some(({ anchor }) => anchor === kind));
  const unknown = entries.filter(({ anchor }) => !kinds.includes(anchor)).map(({ anchor }) => anchor);
  const lacking = entries.flatMap(({ anchor, body }) =>
    PARTS.filter((part) => !new RegExp(`^\\*\\*${part}\\.\\*\\* \\S.{19,}`, 'm').test(body)).map(
      (part) => `${anchor}: ${part}`,
    ),
  );
  return [
    ...missing.map((kind) => `no entry: ${kind}`),
    ...unknown.map((one) => `no kind: ${one}`),
    ...lacking,
  ];
}

test('each kind of incident has an entry, and each entry a kind', () => {
  expect(faultsOf(TEXT, INCIDENT_KINDS.map(runbookAnchor))).toEqual([]);
});

test('a missing entry, an entry of no kind and a missing part are noticed', () => {
  const entry = PARTS.slice(1).map((part) => `**${part}.** Twenty letters or more of it.`);
  expect(faultsOf(`### Price refused\n\n${entry.join('\n\n')}\n`, ['price-refused', 'job-dead'])).toEqual([
    'no entry: job-dead',
    'price-refused: Means',
  ]);
  expect(faultsOf('### Old kind\n', [])).toContain('no kind: old-kind');
});
