// One connection. Statements with values are prepared: the server plans each text once for a connection. A connection that stays
// silent while an answer is due, to a host that cannot be reached, is broken off: nobody says so when a host was cut off.
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyBytes, isCopyBytes } from './copy-rows.ts';

/** More texts than the product has. Beyond them a statement is planned each time, so that the server's memory is bounded. */
const PREPARED_MAX = 2_000;

export class DatabaseClient extends pg.Client {
  #awaitsAnswer = false;

  /** When an answer is due for so long and nothing can be reached there any more. */
  breakOffAfter(silenceMs: number): void {
    const { stream } = (this as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    stream.setTimeout(silenceMs, async () => {
      if (!this.#awaitsAnswer) return;
      if (await canReach(this)) {
        stream.setTimeout(silenceMs);
        return;
      }
      const silence = new Error(`the database has not answered for ${silenceMs / 1_000} seconds`);
      stream.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
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

/** A statement may take long. A server or a proxy that can be reached ends by itself what it does not know any more. */
function canReach({ host, port }: pg.Client): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const end = (reached: boolean) => {
      probe.destroy();
      resolve(reached);
    };
    probe.setTimeout(REACH_WITHIN_MS, () => end(false));
    probe.once('connect', () => end(true));
    probe.once('error', () => end(false));
  });
}

const REACH_WITHIN_MS = 5_000;

const names = new Map<string, string>();

/** Undefined: not prepared. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= PREPARED_MAX) return known;
  const name = `statement-${names.size + 1}`;
  names.set(text, name);
  return name;
}
