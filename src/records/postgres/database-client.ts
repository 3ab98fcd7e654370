// One connection. Statements with values are prepared: the server plans each text once for a connection. A connection that stays
// silent while an answer is due is broken off: nobody says so when a host was cut off.
import type { Socket } from 'node:net';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyBytes, isCopyBytes } from './copy-rows.ts';

/** More texts than the product has. Beyond them a statement is planned each time, so that the server's memory is bounded. */
const PREPARED_MAX = 2_000;

/** To a server, a pooler or a proxy. */
const CONNECT_WITHIN_MS = 10_000;

/** `answerWithinMs`: see DatabaseOptions; without it a statement may take as long as it likes. */
export function clientOf({
  answerWithinMs,
}: {
  readonly answerWithinMs: number | undefined;
}): typeof pg.Client {
  return class extends DatabaseClient {
    constructor(config?: pg.ClientConfig) {
      // Not the pool's own limit, which would also end the wait for a connection that others use.
      super({ ...config, connectionTimeoutMillis: CONNECT_WITHIN_MS });
      if (answerWithinMs !== undefined) this.once('connect', () => this.breakOffAfter(answerWithinMs));
    }
  };
}

export class DatabaseClient extends pg.Client {
  #awaitsAnswer = false;

  protected breakOffAfter(silenceMs: number): void {
    const { stream } = (this as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    stream.setTimeout(silenceMs);
    stream.on('timeout', () => {
      const silence = new Error(`the database has not answered for ${silenceMs / 1_000} seconds`);
      if (this.#awaitsAnswer) stream.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
    });
    this.on('drain', () => {
      this.#awaitsAnswer = false;
    });
  }

  override query = ((...args: unknown[]) => {
    const [text, values] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return this.#query(...args);
    if (isCopyBytes(values[0])) return this.#copy(text, values[0]);
    return this.#query({ name: nameOf(text), text, values }, ...args.slice(2));
  }) as pg.Client['query'];

  #query(...args: unknown[]): unknown {
    this.#awaitsAnswer = true;
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
