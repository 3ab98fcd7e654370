// The file of a track record that a provider imports: CSV with a day and what money was worth then, or what it returned that day. Promises
// that a file is taken whole or not at all, with a sentence that names the line. Nothing is guessed: neither columns nor units nor dates.
export type ClaimFile = {
  readonly kind: 'values' | 'returns';
  /** Parallel: ISO dates, and what money was worth on each, 1 at the start. */
  readonly labels: readonly string[];
  readonly data: readonly number[];
};

export type ReadClaim =
  | { readonly ok: true; readonly file: ClaimFile }
  | { readonly ok: false; readonly problem: string };

export const CLAIM_LINES_MAX = 10_000;
export const CLAIM_LINES_MIN = 20;
/** Between two days of one record. */
const GAP_DAYS_MAX = 31;
const DAY_MS = 86_400_000;

/** `today` is the last day that a record can have. */
export function readClaimFile(text: string, today: string): ReadClaim {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const kind = KINDS[(lines[0] ?? '').toLowerCase().replaceAll(' ', '')];
  if (kind === undefined) return problem('Line 1 must say what the columns are: date,value or date,return.');
  const labels: string[] = [];
  const data: number[] = [];
  let worth = 1;
  let first: number | null = null;
  for (const [i, line] of lines.entries()) {
    if (i === 0 || line.trim() === '') continue;
    const read = readLine(line, { kind, number: i + 1, before: labels.at(-1), today });
    if (typeof read === 'string') return problem(read);
    if (kind === 'values') worth = read.amount / (first ??= read.amount);
    else worth *= 1 + read.amount / 100;
    labels.push(read.date);
    data.push(worth);
    if (labels.length > CLAIM_LINES_MAX)
      return problem(`Line ${i + 1} is one too many: a file has at most 10,000 days.`);
  }
  if (labels.length < CLAIM_LINES_MIN)
    return problem(`The file has ${labels.length} days. A record needs at least ${CLAIM_LINES_MIN}.`);
  return { ok: true, file: { kind, labels, data } };
}

const KINDS: Readonly<Record<string, ClaimFile['kind']>> = {
  'date,value': 'values',
  'date,return': 'returns',
};

type At = {
  readonly kind: ClaimFile['kind'];
  readonly number: number;
  readonly before: string | undefined;
  readonly today: string;
};

function readLine(
  line: string,
  { kind, number, before, today }: At,
): { readonly date: string; readonly amount: number } | string {
  const cells = line.split(',').map((cell) => cell.trim());
  const [date = '', said = ''] = cells;
  if (cells.length !== 2)
    return `Line ${number} must have two cells with one comma between: a date and a number.`;
  if (!isDay(date)) return `Line ${number}: “${short(date)}” is not a day. Write it as 2026-01-31.`;
  if (before !== undefined && date <= before)
    return `Line ${number}: ${date} must be later than ${before}, the day of the line before.`;
  if (date > today) return `Line ${number}: ${date} has not been yet.`;
  if (before !== undefined && Date.parse(date) - Date.parse(before) > GAP_DAYS_MAX * DAY_MS)
    return `Line ${number}: more than a month is missing between ${before} and ${date}.`;
  const digits = kind === 'returns' ? said.replace(/%$/, '') : said;
  if (!/^[+-]?\d+(\.\d+)?$/.test(digits))
    return `Line ${number}: “${short(said)}” is not a number. ${HOW[kind]}`;
  const amount = Number(digits);
  if (kind === 'values' && !(amount > 0 && amount < 1e15))
    return `Line ${number}: a value must be above zero.`;
  if (kind === 'returns' && !(amount > -100 && amount < 1_000))
    return `Line ${number}: a return must be above -100 and below 1,000 percent.`;
  return { date, amount };
}

const HOW = {
  values: 'Write it as 10250.75, without currency and thousands separators.',
  returns: 'Write it in percent, as 0.52 or -1.3.',
} as const;

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text && text > '1900';
}

const short = (text: string) => (text.length > 20 ? `${text.slice(0, 20)}…` : text);

const problem = (said: string) => ({ ok: false, problem: said }) as const;
