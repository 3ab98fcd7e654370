// Named points of the chain. The database reports each at its commit, so that a listener can strike right then.
import pg from 'pg';

/** What has just been committed when the point is reported. */
export const POINTS = {
  'a target is written': ['targets', 'insert', 'true'],
  'orders are written': ['orders', 'insert', 'true'],
  'an order is marked as sending': ['orders', 'update', `new.status = 'sending'`],
  'an answer is recorded': ['orders', 'update', `new.status = 'working' and old.status = 'sending'`],
  'a fate is unknown': ['orders', 'update', `new.status = 'unknown'`],
  'a fill is booked': ['fills', 'insert', 'true'],
  'an order has ended': [
    'orders',
    'update',
    `new.status in ('filled', 'expired', 'cancelled') and new.status <> old.status`,
  ],
} as const;
export type Point = keyof typeof POINTS;

export type Listening = {
  /** The next time that the point is passed; null when it was not within the time. */
  next(point: Point, withinMs: number): Promise<Point | null>;
  close(): Promise<void>;
};

export async function listenToPoints(databaseUrl: string): Promise<Listening> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`
    create or replace function tell_point() returns trigger language plpgsql as
      $$ begin perform pg_notify('points', tg_argv[0]); return null; end $$`);
  for (const [index, [point, [table, operation, condition]]] of Object.entries(POINTS).entries()) {
    await client.query(`drop trigger if exists point_${index} on ${table}`);
    await client.query(
      `create trigger point_${index} after ${operation} on ${table} for each row when (${condition})
       execute function tell_point('${point}')`,
    );
  }
  await client.query('listen points');
  return {
    next(point, withinMs) {
      const { promise, resolve } = Promise.withResolvers<Point | null>();
      const hear = ({ payload }: pg.Notification) => {
        if (payload === point) resolve(point);
      };
      const timer = setTimeout(() => resolve(null), withinMs);
      client.on('notification', hear);
      return promise.finally(() => {
        clearTimeout(timer);
        client.off('notification', hear);
      });
    },
    close: () => client.end().catch(() => undefined),
  };
}
