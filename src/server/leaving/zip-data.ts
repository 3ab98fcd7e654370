import { strToU8, zip, type Zippable } from 'fflate';
import type { ExportedDocument, ExportedRow, ExportedTable } from '#records/leaving/export-data.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { csvLine } from '../answers/csv-line.ts';

type Data = { readonly tables: readonly ExportedTable[]; readonly documents: readonly ExportedDocument[] };

/** Compressed by a thread of its own: others are answered meanwhile. */
export async function zipData({ tables, documents }: Data, at: Instant): Promise<Uint8Array> {
  const files: Zippable = { 'README.txt': strToU8(readme(tables, at)) };
  for (const { name, rows } of tables) {
    files[`json/${name}.json`] = strToU8(JSON.stringify(rows, null, 2));
    files[`csv/${name}.csv`] = strToU8(csvOf(rows));
    await new Promise(setImmediate);
  }
  for (const { name, bytes } of documents) files[`documents/${name}`] = bytes;
  return new Promise((resolve, reject) => {
    zip(files, { level: 6, mtime: at }, (error, file) => (error === null ? resolve(file) : reject(error)));
  });
}

function readme(tables: readonly ExportedTable[], at: Instant): string {
  const lines = tables.map(({ name, rows }) => `${name}: ${rows.length}`);
  return [
    `Your data as of ${isoText(at)}.`,
    'Each list is a file in json/ and in csv/. Signed agreements are in documents/. Amounts are in dollars, times in UTC.',
    '',
    ...lines,
    '',
  ].join('\n');
}

function csvOf(rows: readonly ExportedRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  return [csvLine(names), ...rows.map((row) => csvLine(names.map((name) => cellOf(row[name]))))].join('');
}

function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
