import path from 'node:path';
import { FLOORS } from './walls.ts';

/** Where a file is: `at` is its path without extension, from the floor's name on. */
export type Place = { floor: string; room: string; at: string };

const OUTSIDE_SRC = ['sandbox', 'models'];

/** The place of a file given by its path from the project's root, or null for one on no floor. */
export function placeOf(file: string): Place | null {
  const [first, ...rest] = file.split('/');
  const parts = first === 'src' ? rest : OUTSIDE_SRC.includes(first ?? '') ? [first ?? '', ...rest] : [];
  const [floor, ...inner] = parts;
  if (floor === undefined || inner.length === 0) return null;
  return { floor, room: roomOf(floor, inner), at: parts.join('/').replace(/\.\w+$/, '') };
}

/** A room inside a room counts as its own where the table names it. */
function roomOf(floor: string, inner: readonly string[]): string {
  const folders = inner.slice(0, -1);
  const named = FLOORS[floor]?.rooms ?? {};
  for (let depth = folders.length; depth > 1; depth--) {
    const name = folders.slice(0, depth).join('/');
    if (name in named) return name;
  }
  return folders[0] ?? '.';
}

/** The file that an import names, from the project's root, or null for a package. */
export function importedFile(file: string, specifier: string): string | null {
  const alias = /^#(\w+)\/(.*)$/.exec(specifier);
  if (alias) {
    const [, floor = '', inner = ''] = alias;
    return path.posix.join(OUTSIDE_SRC.includes(floor) ? '' : 'src', floor, inner);
  }
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null;
}
