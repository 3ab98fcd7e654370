import type { Environment } from '../environment/environment.ts';

/** The database of the current market: the simulated one, a replay from a day, or the live one; they never mix. */
export function worldDatabase({ market, replayFrom }: Pick<Environment, 'market' | 'replayFrom'>): string {
  if (market === 'live') return 'bellwether_live';
  return market === 'replay' ? `bellwether_replay_${replayFrom?.replaceAll('-', '')}` : 'bellwether';
}

/** The databases' location, worded for the operator; never the address, which contains a password. */
export function placeOf({ databaseUrl, dataDir }: Pick<Environment, 'databaseUrl' | 'dataDir'>): string {
  return databaseUrl === null ? `The data folder ${dataDir}` : 'The database that DATABASE_URL names';
}
