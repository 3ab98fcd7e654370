import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { buildStrategy } from './build-strategy.ts';
import { listInstruments } from './list-instruments.ts';
import { tuneStrategy } from './tune-strategy.ts';

export const strategyBuilderCalls: RoomCalls<typeof strategyBuilderEndpoints> = {
  listBuilderInstruments: listInstruments,
  buildStrategy,
  tuneStrategy,
};
