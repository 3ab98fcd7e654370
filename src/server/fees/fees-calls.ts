import type { feesEndpoints } from '#contract/fees.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { changeFeePayment } from './change-fee-payment.ts';
import { downloadFeeBill } from './download-fee-bill.ts';
import { downloadFeeBills } from './download-fee-bills.ts';
import { downloadFeeStatement } from './download-fee-statement.ts';
import { downloadFinalStatement, getFinalStatement } from './final-statement.ts';
import { getFeeAccrual } from './get-fee-accrual.ts';
import { getFeeBill } from './get-fee-bill.ts';
import { getFeePayment } from './get-fee-payment.ts';
import { listFeeBills } from './list-fee-bills.ts';
import { payFeeBill } from './pay-fee-bill.ts';

export const feesCalls: RoomCalls<typeof feesEndpoints> = {
  listFeeBills,
  downloadFeeBills,
  getFeeBill,
  downloadFeeBill,
  downloadFeeStatement,
  payFeeBill,
  getFeeAccrual,
  getFinalStatement,
  downloadFinalStatement,
  getFeePayment,
  changeFeePayment,
};
