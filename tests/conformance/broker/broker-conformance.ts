// The conformance suite of the broker port: numbered requirements that every adapter meets against its own sandbox or
// stand-in. A harness provides the broker, a person at the sign-in page, and control of the market and the wire.
import type { ConformanceCase } from './conformance-case.ts';
import { OUTCOME_CASES } from './outcome-cases.ts';
import { COIN_CASES } from './coin-cases.ts';
import { ACCOUNT_CASES } from './account-cases.ts';
import { CASH_CASES } from './cash-cases.ts';
import { FRACTION_CASES } from './fraction-cases.ts';
import { OPTION_CASES } from './option-cases.ts';
import { ORDER_CASES } from './order-cases.ts';
import { PERMISSION_CASES } from './permission-cases.ts';
import { SESSION_CASES } from './session-cases.ts';
import { WASH_TRADE_CASES } from './wash-trade-cases.ts';

export const BROKER_CONFORMANCE: readonly ConformanceCase[] = [
  ...PERMISSION_CASES,
  ...ORDER_CASES,
  ...OUTCOME_CASES,
  ...FRACTION_CASES,
  ...WASH_TRADE_CASES,
  ...SESSION_CASES,
  ...COIN_CASES,
  ...OPTION_CASES,
  ...ACCOUNT_CASES,
  ...CASH_CASES,
];
