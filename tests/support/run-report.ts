// The result file that a long-running command leaves under `docs/results` when it is called with `--report`: when and
// on which commit it ran, with which command, what it counted, and every failure.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  /** The seeds that were run, where a failure begins with `seed N:`. A campaign counts each once, and as it was run last. */
  readonly seeds?: { readonly from: number; readonly count: number };
};

export type RunOrigin = { readonly date: string; readonly commit: string; readonly command: string };

const ROOT = path.resolve(import.meta.dirname, '../..');
const RESULTS = path.join(ROOT, 'docs/results');

/** Writes `docs/results/NAME.md` for `npm run NAME`, or for another command of that name, and says where. */
export function writeRunReport(name: string, report: RunReport, command = name): void {
  write(`${name}.md`, formatRunReport(report, originOf(command)));
}

/** One part of a campaign that is run in several: the report of a run, and where it comes from. */
export type CampaignPart = RunOrigin & Pick<RunReport, 'facts' | 'table' | 'failures' | 'seeds'>;

/** Adds this run to the earlier parts of the campaign in `docs/results/NAME.json`; the page counts all of them together. */
export function collectRunReport(name: string, report: RunReport): void {
  const file = path.join(RESULTS, `${name}.json`);
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CampaignPart[]) : [];
  const { facts, table, failures, seeds } = report;
  const parts: CampaignPart[] = [
    ...earlier,
    {
      ...originOf(name),
      facts,
      ...(table === undefined ? {} : { table }),
      ...(seeds && { seeds }),
      failures,
    },
  ];
  write(`${name}.json`, `${JSON.stringify(parts, null, 1)}\n`);
  write(`${name}.md`, formatCampaign(report, parts));
}

/** The page of a campaign: numbers summed over its parts, counts of the tables too, and a row for each part. */
export function formatCampaign({ title, about }: RunReport, parts: readonly CampaignPart[]): string {
  const sums = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { facts, table } of parts) {
    for (const [fact, value] of facts)
      if (typeof value === 'number') sums.set(fact, (sums.get(fact) ?? 0) + value);
    for (const [what = '', times] of table?.rows ?? [])
      counts.set(what, (counts.get(what) ?? 0) + Number(times));
  }
  const head = parts.find(({ table }) => table !== undefined)?.table?.head;
  const found = parts.flatMap((part, nth) =>
    part.failures.map((line) => {
      const later = parts.slice(nth + 1).findLast((one) => hasRun(one, line));
      const holds = later !== undefined && !later.failures.some((other) => seedOf(other) === seedOf(line));
      return { line: `${line} (${part.commit})`, heldAt: holds ? later.commit : null };
    }),
  );
  const failures = found.filter(({ heldAt }) => heldAt === null).map(({ line }) => line);
  const mended = found.flatMap(({ line, heldAt }) =>
    heldAt === null ? [] : [`${line}: holds at ${heldAt}`],
  );
  const seeds = new Set(
    parts.flatMap(({ seeds: run }) => (run ? Array.from({ length: run.count }, (_, i) => run.from + i) : [])),
  );
  if (seeds.size > 0) sums.set('Seeds', seeds.size);
  const rows = parts.map(({ date, commit, command, failures: failed }) => [
    date,
    commit,
    `\`${command}\``,
    String(failed.length),
  ]);
  return page(title, [
    `${about} The campaign was run in ${parts.length} parts. This file is written by the command; do not edit it.`,
    factsTable([...sums, ['Failures', failures.length]]),
    ...(head === undefined
      ? []
      : [
          tableOf(
            head,
            [...counts].toSorted(([, a], [, b]) => b - a).map(([what, times]) => [what, String(times)]),
          ),
        ]),
    tableOf(['Date', 'Commit', 'Command', 'Failures'], rows),
    ...failureList(failures),
    ...(mended.length === 0 ? [] : ['## Found and mended', mended.map((line) => `- ${line}`).join('\n')]),
  ]);
}

/** Null where the line names no seed. */
function seedOf(line: string): number | null {
  const found = /^seed (\d+):/.exec(line);
  return found === null ? null : Number(found[1]);
}

function hasRun({ seeds }: CampaignPart, line: string): boolean {
  const seed = seedOf(line);
  return seeds !== undefined && seed !== null && seed >= seeds.from && seed < seeds.from + seeds.count;
}

export function formatRunReport(report: RunReport, { date, commit, command }: RunOrigin): string {
  const { title, about, facts, table, failures } = report;
  return page(title, [
    `${about} This file is written by the command; do not edit it.`,
    `    ${command}`,
    factsTable([['Date', date], ['Commit', commit], ...facts, ['Failures', failures.length]]),
    ...(table === undefined ? [] : [tableOf(table.head, table.rows)]),
    ...failureList(failures),
  ]);
}

function page(title: string, sections: readonly string[]): string {
  return `${[`# ${title}`, ...sections].join('\n\n')}\n`;
}

function factsTable(facts: RunReport['facts']): string {
  return tableOf(
    ['', ''],
    facts.map(([fact, value]) => [fact, typeof value === 'number' ? value.toLocaleString('en-US') : value]),
  );
}

function failureList(failures: readonly string[]): string[] {
  return failures.length === 0 ? [] : ['## Failures', failures.map((line) => `- ${line}`).join('\n')];
}

function write(name: string, text: string): void {
  const file = path.join(RESULTS, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`Result written to ${path.relative(ROOT, file)}`);
}

export function originOf(name: string): RunOrigin {
  const options = process.argv.slice(2).join(' ');
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: currentCommit(),
    command: `npm run ${name}${options === '' ? '' : ` -- ${options}`}`,
  };
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The short hash, with a plus when the tree has changes that are not committed, other than results. */
function currentCommit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    const isClean = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/results') === '';
    return `${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
