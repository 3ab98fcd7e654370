import type { operationsEndpoints } from '#contract/operations.ts';
import type { RoomCalls } from '../mount-room.ts';
import { getHealth } from './get-health.ts';
import { getReadiness } from './get-readiness.ts';

export const operationsCalls: RoomCalls<typeof operationsEndpoints> = { getHealth, getReadiness };
