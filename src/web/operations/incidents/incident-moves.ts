import type { Incident } from '#contract/operations/incident.ts';

export const MOVES: Readonly<Record<Incident['whose_move'], string>> = {
  staff: 'Your move',
  owner: 'The client’s move',
  broker: 'The broker’s move',
  nobody: 'Expected to pass',
};
