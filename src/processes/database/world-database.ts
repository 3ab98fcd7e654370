import type { Environment } from '../environment/environment.ts';

/** The database of the world that the market is: the simulated one, or a replay from a day, each beside the other. */
export function worldDatabase({ market, replayFrom }: Pick<Environment, 'market' | 'replayFrom'>): string {
  return market === 'replay' ? `bellwether_replay_${replayFrom?.replaceAll('-', '')}` : 'bellwether';
}

/** Where the databases are kept, in the words of a sentence to the operator; never the address, which holds a password. */
export function placeOf({ databaseUrl, dataDir }: Pick<Environment, 'databaseUrl' | 'dataDir'>): string {
  return databaseUrl === null ? `The data folder ${dataDir}` : 'The database that DATABASE_URL names';
}
