// When the last transaction that wrote orders was committed, seen at the connections of a pool.
import type { Pool } from 'pg';

export function watchOrderCommits(pool: Pool): { last(): number; stop(): void } {
  const connect = pool.connect.bind(pool);
  let last = Number.NaN;
  pool.connect = (async () => {
    const client = await connect();
    const query = client.query.bind(client);
    let writesOrders = false;
    client.query = (async (...args: Parameters<typeof query>) => {
      const text = String((args[0] as { text?: string }).text ?? args[0]).trimStart();
      if (/^(insert into|copy) orders/.test(text)) writesOrders = true;
      const result = await query(...args);
      if (text === 'commit' && writesOrders) {
        last = performance.now();
        writesOrders = false;
      }
      return result;
    }) as typeof client.query;
    const release = client.release.bind(client);
    client.release = (...args) => {
      client.query = query;
      client.release = release;
      release(...args);
    };
    return client;
  }) as typeof pool.connect;
  return {
    last: () => last,
    stop: () => {
      pool.connect = connect;
    },
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
