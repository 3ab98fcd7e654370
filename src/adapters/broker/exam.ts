// The exam that every broker adapter sits, against its own sandbox or stand-in: numbered claims of the broker port.
// A bench brings the broker, a person who decides at the sign-in page, and a hand on the market and the wire.
import type { ExamCase } from './exam/exam-case.ts';
import { FATE_CASES } from './exam/fate-cases.ts';
import { ORDER_CASES } from './exam/order-cases.ts';
import { PERMISSION_CASES } from './exam/permission-cases.ts';
import { SESSION_CASES } from './exam/session-cases.ts';

export const BROKER_EXAM: readonly ExamCase[] = [
  ...PERMISSION_CASES,
  ...ORDER_CASES,
  ...FATE_CASES,
  ...SESSION_CASES,
];
