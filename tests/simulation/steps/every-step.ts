import { BROKER_FAULTS } from './broker-faults.ts';
import { CORPORATE_STEPS } from './corporate-steps.ts';
import { CURRENCY_STEPS } from './currency-steps.ts';
import { FEE_STEPS } from './fee-steps.ts';
import { FLOW_STEPS } from './flow-steps.ts';
import { ORDINARY } from './ordinary.ts';
import { OWN_FAULTS } from './own-faults.ts';
import { PERMISSION_STEPS } from './permission-steps.ts';
import { PRACTICE_STEPS } from './practice-steps.ts';
import { REVISION_STEPS } from './revision-steps.ts';
import { SHARED_ACCOUNT_STEPS } from './shared-account-steps.ts';
import type { Step } from './step.ts';
import { STOP_STEPS } from './stop-steps.ts';
import { WORLD_FAULTS } from './world-faults.ts';

export const EVERY_STEP: readonly Step[] = [
  ...ORDINARY,
  ...BROKER_FAULTS,
  ...OWN_FAULTS,
  ...FEE_STEPS,
  ...CURRENCY_STEPS,
  ...SHARED_ACCOUNT_STEPS,
  ...PERMISSION_STEPS,
  ...WORLD_FAULTS,
  ...CORPORATE_STEPS,
  ...STOP_STEPS,
  ...REVISION_STEPS,
  ...PRACTICE_STEPS,
  ...FLOW_STEPS,
];
