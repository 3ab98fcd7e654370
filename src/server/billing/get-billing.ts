import type { billingEndpoints } from '#contract/billing.ts';
import type { Call } from '../http/call.ts';
import { showBilling } from './show-billing.ts';

export const getBilling: Call<typeof billingEndpoints.getBilling> = ({ caller }, dependencies) =>
  showBilling(dependencies.records.database, caller.userId, dependencies);
