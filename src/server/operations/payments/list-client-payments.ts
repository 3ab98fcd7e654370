import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { ClientPayment } from '#contract/operations/payments.ts';
import { listPaidCharges, type PaidCharge } from '#records/payments/paid-charges.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../../http/call.ts';

export const listClientPayments: Call<typeof operationsEndpoints.listClientPayments> = async (
  { query },
  { records },
) => (await listPaidCharges(records.database, { email: query.client })).map(showClientPayment);

export function showClientPayment({
  id,
  email,
  purpose,
  paid,
  refunded,
  chargedBack,
  ...rest
}: PaidCharge): ClientPayment {
  return {
    id,
    client: email,
    purpose,
    paid: fromMicro(paid),
    refunded: fromMicro(refunded),
    charged_back: fromMicro(chargedBack),
    vendor: rest.vendor,
    paid_at: isoText(rest.paidAt),
    is_disputed: rest.isDisputed,
  };
}
