import { DatabaseClient } from '#records/postgres/database-client.ts';

/** Calls with what each statement of this process is asked with, the beginning and the end of transactions too. */
export function watchStatements(hear: (asked: unknown) => void): void {
  const { connect } = DatabaseClient.prototype;
  Object.assign(DatabaseClient.prototype, {
    connect(this: DatabaseClient, ...args: unknown[]) {
      const query = this.query;
      this.query = ((...asked: unknown[]) => {
        hear(asked[0]);
        return Reflect.apply(query, this, asked);
      }) as typeof query;
      return Reflect.apply(connect, this, args);
    },
  });
}
