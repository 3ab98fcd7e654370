import { BROKER_FAULTS } from './broker-faults.ts';
import { ORDINARY } from './ordinary.ts';
import { OWN_FAULTS } from './own-faults.ts';
import type { Step } from './step.ts';

export const EVERY_STEP: readonly Step[] = [...ORDINARY, ...BROKER_FAULTS, ...OWN_FAULTS];
