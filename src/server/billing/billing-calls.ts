import type { billingEndpoints } from '#contract/billing.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { cancelPlan, keepPlan } from './cancel-plan.ts';
import { choosePlan } from './choose-plan.ts';
import { getBilling } from './get-billing.ts';
import { getPayment } from './get-payment.ts';
import { openPaymentPage } from './open-payment-page.ts';
import { listPayments } from './list-payments.ts';
import { listPlans } from './list-plans.ts';
import { quotePlan } from './quote-plan.ts';

export const billingCalls: RoomCalls<typeof billingEndpoints> = {
  listPlans,
  getBilling,
  quotePlan,
  choosePlan,
  openPaymentPage,
  cancelPlan,
  keepPlan,
  listPayments,
  getPayment,
};
