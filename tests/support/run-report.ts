// The result file that a long-running command leaves under `docs/results` when it is called with `--report`: when and
// on which commit it ran, with which command, what it counted, and every failure.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type RunReport = {
  readonly title: string;
  /** What the command does, in one or two sentences. */
  readonly about: string;
  /** Settings, seeds and counts, in the order of the page. */
  readonly facts: readonly (readonly [name: string, value: string | number])[];
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** One line each; empty when everything held. */
  readonly failures: readonly string[];
};

export type RunOrigin = { readonly date: string; readonly commit: string; readonly command: string };

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Writes `docs/results/NAME.md` for `npm run NAME` and says where. */
export function writeRunReport(name: string, report: RunReport): void {
  const file = path.join(ROOT, 'docs/results', `${name}.md`);
  const options = process.argv.slice(2).join(' ');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    formatRunReport(report, {
      date: new Date().toISOString().slice(0, 10),
      commit: currentCommit(),
      command: `npm run ${name}${options === '' ? '' : ` -- ${options}`}`,
    }),
  );
  console.log(`Result written to ${path.relative(ROOT, file)}`);
}

export function formatRunReport(report: RunReport, { date, commit, command }: RunOrigin): string {
  const { title, about, facts, table, failures } = report;
  const all: RunReport['facts'] = [
    ['Date', date],
    ['Commit', commit],
    ...facts,
    ['Failures', failures.length],
  ];
  const sections = [
    `# ${title}`,
    `${about} This file is written by the command; do not edit it.`,
    `    ${command}`,
    tableOf(
      ['', ''],
      all.map(([fact, value]) => [fact, typeof value === 'number' ? value.toLocaleString('en-US') : value]),
    ),
    ...(table === undefined ? [] : [tableOf(table.head, table.rows)]),
    ...(failures.length === 0 ? [] : ['## Failures', failures.map((line) => `- ${line}`).join('\n')]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The short hash, with a plus when the tree has changes that are not committed. */
function currentCommit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    const isClean = git('status', '--porcelain', '--untracked-files=no') === '';
    return `${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
