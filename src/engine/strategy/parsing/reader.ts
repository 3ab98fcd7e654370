// Reads unknown data field by field and collects what is wrong, each error with its place: the parser's only tool.

export type DefinitionError = { readonly path: string; readonly message: string };

export type Range = { readonly min: number; readonly max: number };

export class Reader {
  readonly errors: DefinitionError[] = [];

  fail(path: string, message: string): void {
    this.errors.push({ path: path === '' ? '(whole)' : path, message });
  }

  /** The fields of an object; unknown names are errors, so that a misspelt field is never silently ignored. */
  fields(
    value: unknown,
    path: string,
    names: readonly string[],
  ): { readonly [name: string]: unknown } | null {
    if (!isRecord(value)) {
      this.fail(path, 'must be an object');
      return null;
    }
    for (const name of Object.keys(value)) {
      if (!names.includes(name))
        this.fail(join(path, name), `is not known here; known are ${names.join(', ')}`);
    }
    return value;
  }

  text(value: unknown, path: string, { min, max }: Range): string {
    if (typeof value === 'string' && value.length >= min && value.length <= max) return value;
    this.fail(
      path,
      min === 0 ? `must be a text of at most ${max} signs` : `must be a text of ${min} to ${max} signs`,
    );
    return '';
  }

  number(value: unknown, path: string, { min, max }: Range): number {
    if (typeof value === 'number' && value >= min && value <= max) return value;
    this.fail(path, `must be a number from ${min} to ${max}`);
    return min;
  }

  whole(value: unknown, path: string, { min, max }: Range): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    this.fail(path, `must be a whole number from ${min} to ${max}`);
    return min;
  }

  oneOf<Word extends string | number>(value: unknown, path: string, words: readonly Word[]): Word {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    this.fail(path, `must be one of ${words.join(', ')}`);
    return words[0]!;
  }

  list(value: unknown, path: string, { min, max }: Range): readonly unknown[] {
    if (Array.isArray(value) && value.length >= min && value.length <= max) return value;
    this.fail(path, `must be a list of ${min} to ${max}`);
    return [];
  }
}

export function join(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
