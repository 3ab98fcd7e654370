import { BILLING_BUGS } from './billing-bugs.ts';
import { BOOKING_BUGS } from './booking-bugs.ts';
import { ADJUSTMENT_BUGS } from './adjustment-bugs.ts';
import { DECIDING_BUGS } from './deciding-bugs.ts';
import { EXPECTATION_BUGS } from './expectation-bugs.ts';
import { INCIDENT_BUGS } from './incident-bugs.ts';
import { JOB_BUGS } from './job-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';
import { PRACTICE_BUGS } from './practice-bugs.ts';
import { READING_BUGS } from './reading-bugs.ts';
import { SENDING_BUGS } from './sending-bugs.ts';
import { SERVING_BUGS } from './serving-bugs.ts';
import { STOP_BUGS } from './stop-bugs.ts';
import { TIME_BUGS } from './time-bugs.ts';

/** Along the path of money: deciding, sending, booking, billing. */
export const BUGS: readonly PlantedBug[] = [
  ...DECIDING_BUGS,
  ...SENDING_BUGS,
  ...BOOKING_BUGS,
  ...READING_BUGS,
  ...ADJUSTMENT_BUGS,
  ...SERVING_BUGS,
  ...STOP_BUGS,
  ...BILLING_BUGS,
  ...JOB_BUGS,
  ...INCIDENT_BUGS,
  ...TIME_BUGS,
  ...PRACTICE_BUGS,
  ...EXPECTATION_BUGS,
];
