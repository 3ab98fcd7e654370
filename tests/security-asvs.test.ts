// The table of OWASP ASVS 5.0: every id of levels 1 and 2 once, with what shows it, and counted right.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const FILE = path.resolve(import.meta.dirname, '../docs/security-asvs.md');
const TEXT = readFileSync(FILE, 'utf8');

/** The sections of ASVS 5.0.0, with the level of each requirement in turn; a hyphen is one of level 3. */
const LEVELS: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '111112222',
  '1.3': '11222222222',
  '1.4': '222',
  '1.5': '12',
  '2.1': '122',
  '2.2': '112',
  '2.3': '1222',
  '2.4': '2',
  '3.2': '11',
  '3.3': '1222',
  '3.4': '112222',
  '3.5': '11122',
  '3.7': '22',
  '4.1': '122',
  '4.2': '2',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112',
  '5.3': '11',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '1122',
  '6.4': '1122',
  '6.5': '22222',
  '6.6': '222',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '22',
  '7.6': '22',
  '8.1': '12',
  '8.2': '112',
  '8.3': '1',
  '8.4': '2',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '22',
  '10.3': '2222',
  '10.4': '11111222222',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '22',
  '11.2': '222',
  '11.3': '112',
  '11.4': '1222',
  '11.5': '2',
  '11.6': '2',
  '12.1': '122',
  '12.2': '11',
  '12.3': '2222',
  '13.1': '2',
  '13.2': '22222',
  '13.3': '22',
  '13.4': '12222',
  '14.1': '22',
  '14.2': '1222',
  '14.3': '122',
  '15.1': '122',
  '15.2': '122',
  '15.3': '1222222',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '222',
  '17.1': '2',
  '17.2': '2222',
  '17.3': '22',
};

const EVERY_ID = Object.entries(LEVELS).flatMap(([section, levels]) =>
  Array.from(levels, (level, place) => [`${section}.${place + 1}`, level] as const).filter(
    ([, level]) => level !== '-',
  ),
);

type Row = { id: string; level: string; state: string; what: string; files: string[] };

const ROWS: Row[] = TEXT.split('\n').flatMap((line) => {
  const [, id, level, state, what, where] =
    /^\| (\d+\.\d+\.\d+) \| (\d) \| (\S+) \| (.+?) \| (.*?) ?\|$/.exec(line) ?? [];
  if (id === undefined || level === undefined || state === undefined || what === undefined) return [];
  return [
    {
      id,
      level,
      state,
      what,
      files: Array.from((where ?? '').matchAll(/\]\((.+?)\)/g), ([, file]) => file!),
    },
  ];
});

test('every requirement of levels 1 and 2 has one row, in the order of the standard', () => {
  expect(EVERY_ID).toHaveLength(253);
  expect(ROWS.map(({ id, level }) => [id, level])).toEqual(EVERY_ID);
});

test('the count at the top is that of the rows', () => {
  const count = (state: string) => ROWS.filter((row) => row.state === state).length;
  const counted = `**${count('met')} met, ${count('n/a')} not applicable, ${count('**open**')} open, of ${ROWS.length}.**`;
  expect(TEXT).toContain(counted);
  expect(count('met') + count('n/a') + count('**open**')).toBe(ROWS.length);
});

test.each(ROWS.filter(({ state }) => state === 'met'))('$id is met by files that exist', ({ files }) => {
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(existsSync(path.resolve(path.dirname(FILE), file)), file).toBe(true);
});

test.each(ROWS.filter(({ state }) => state !== 'met'))('$id says why', ({ what }) => {
  expect(what.split(' ').length).toBeGreaterThan(1);
});
