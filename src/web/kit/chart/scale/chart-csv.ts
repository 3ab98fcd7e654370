import type { Line } from './plot.ts';

export type CsvColumn = { readonly name: string; readonly values: Line };

/** One row a day, oldest first (RFC 4180); a missing value is an empty field. */
export function chartCsv(labels: readonly string[], columns: readonly CsvColumn[]): string {
  const rows = labels.map((label, i) => [label, ...columns.map(({ values }) => values[i] ?? '')].join(','));
  const head = ['date', ...columns.map(({ name }) => field(name))].join(',');
  return `${[head, ...rows].join('\r\n')}\r\n`;
}

/** A name that a spreadsheet would take for a formula is written as text. */
function field(name: string): string {
  const text = /^[=+\-@]/.test(name) ? `'${name}` : name;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
