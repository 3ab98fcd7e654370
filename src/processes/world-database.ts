import type { Environment } from './environment.ts';

/** The database of the world that the market is: the simulated one, or a replay from a day, each beside the other. */
export function worldDatabase({ market, replayFrom }: Pick<Environment, 'market' | 'replayFrom'>): string {
  return market === 'replay' ? `bellwether_replay_${replayFrom?.replaceAll('-', '')}` : 'bellwether';
}
