// The files that a person names for an import: which they are, what they hold as text, whose bars they are.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseCorporateActions } from '#adapters/market-data/csv/parse-corporate-actions.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type ImportRequest, readSymbol } from './bar-arguments.ts';

/** The error in one file; the other files of the folder are still imported. */
export class ImportFault extends Error {}

export function faultOf<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new ImportFault(error instanceof Error ? error.message : String(error));
  }
}

export function readActions(symbol: Symbol, { splits }: ImportRequest): readonly CorporateAction[] {
  const file = splits === null ? null : actionsFile(splits, symbol);
  if (file === null) return [];
  const parsed = parseCorporateActions(readText(file));
  if (!parsed.ok) throw new ImportFault(`${file}: ${parsed.message}`);
  return parsed.actions;
}

/** The file itself, or the one named after the symbol in a folder of them; null when the folder has none. */
function actionsFile(place: string, symbol: Symbol): string | null {
  if (!statSync(place).isDirectory()) return place;
  const name = readdirSync(place).find((file) => stem(file) === symbol);
  return name === undefined ? null : path.join(place, name);
}

export function filesOf({ source, symbol }: ImportRequest): string[] {
  const found = statSync(source, { throwIfNoEntry: false });
  if (!found) throw new Error(`there is no file or folder ${source}`);
  if (!found.isDirectory()) return [source];
  const files = readdirSync(source)
    .filter((name) => /\.(csv|txt|tsv)(\.gz)?$/i.test(name))
    .sort()
    .map((name) => path.join(source, name));
  if (files.length === 0) throw new Error(`${source} holds no .csv, .tsv or .txt file, plain or .gz`);
  if (symbol === null) return files;
  const own = files.filter((file) => stem(path.basename(file)) === symbol);
  if (own.length === 0 && files.length > 1)
    throw new Error(
      `${source} has several files, none of them called ${symbol}: leave --symbol out, and each file's name is its symbol`,
    );
  return own.length === 0 ? files : own;
}

export function readText(file: string): string {
  const bytes = readFileSync(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
}

export function symbolOfFile(file: string): Symbol {
  return faultOf(() => readSymbol(stem(path.basename(file))));
}

const stem = (name: string) =>
  name
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]+$/, '')
    .toUpperCase();

export const CALENDAR = { equity: 'us-equity', forex: 'forex', crypto: 'crypto' } as const;
