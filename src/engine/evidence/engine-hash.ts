// The identity of the engine: SHA-256 over the text of every source file that a result can depend on. Server and
// browser are built from the same files and state the same hash; changing one sign of one file changes it.
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex } from './sha256.ts';

export type SourceFile = {
  /** Below src/, with slashes: engine/step.ts. */
  readonly path: string;
  readonly text: string;
};

/** The folders below src/ that the engine consists of. */
export const ENGINE_FLOORS = ['engine', 'units'] as const;

/** Tests change no result. */
export function isEngineSource(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.test.ts');
}

export function engineHash(files: readonly SourceFile[]): string {
  const sources = files.filter(({ path }) => isEngineSource(path));
  if (sources.length === 0) throw new RangeError('no source file of the engine was given');
  const texts = Object.fromEntries(
    sources.map(({ path, text }) => [path, sha256Hex(text.replaceAll('\r\n', '\n'))]),
  );
  return sha256Hex(canonicalJson(texts));
}
