// One connection. Statements with values are prepared: the server plans each text once for a connection.
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyBytes, isCopyBytes } from './copy-rows.ts';

/** More texts than the product has. Beyond them a statement is planned each time, so that the server's memory is bounded. */
const PREPARED_MAX = 2_000;

export class DatabaseClient extends pg.Client {
  override query = ((...args: unknown[]) => {
    const [text, values] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return this.#query(...args);
    if (isCopyBytes(values[0])) return this.#copy(text, values[0]);
    return this.#query({ name: nameOf(text), text, values }, ...args.slice(2));
  }) as pg.Client['query'];

  #query(...args: unknown[]): unknown {
    return Reflect.apply(super.query, this, args);
  }

  #copy(
    text: string,
    { copyBytes }: CopyBytes,
  ): Promise<{ command: string; rowCount: number; rows: never[] }> {
    return new Promise((resolve, reject) => {
      const stream = copyFrom(text);
      stream.once('error', reject);
      stream.once('finish', () => resolve({ command: 'COPY', rowCount: stream.rowCount, rows: [] }));
      this.#query(stream);
      stream.end(copyBytes);
    });
  }
}

const names = new Map<string, string>();

/** Undefined: not prepared. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= PREPARED_MAX) return known;
  const name = `statement-${names.size + 1}`;
  names.set(text, name);
  return name;
}
