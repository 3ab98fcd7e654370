import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { buildStrategy } from './build-strategy.ts';
import { createReading } from './create-reading.ts';
import { getModel } from './get-model.ts';
import { getReading } from './get-reading.ts';
import { listDraftVersions } from './list-draft-versions.ts';
import { listDraftWords } from './list-draft-words.ts';
import { listInstruments } from './list-instruments.ts';
import { reviseStrategy } from './revise-strategy.ts';
import { tuneStrategy } from './tune-strategy.ts';

export const strategyBuilderCalls: RoomCalls<typeof strategyBuilderEndpoints> = {
  listBuilderInstruments: listInstruments,
  buildStrategy,
  tuneStrategy,
  getBuilderModel: getModel,
  createBuilderReading: createReading,
  getBuilderReading: getReading,
  listDraftWords,
  listDraftVersions,
  reviseStrategy,
};
