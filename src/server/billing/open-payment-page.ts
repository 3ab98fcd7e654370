import type { billingEndpoints } from '#contract/billing.ts';
import { getUser } from '#records/identity/users.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';

export const openPaymentPage: Call<typeof billingEndpoints.openPaymentPage> = async (
  { body, caller },
  { records, payments, config },
) => {
  if (payments.openMeansPage === null)
    return refuse('illegal_move', 'Nothing is charged here, so no card can be saved.');
  const { email } = await getUser(records.database, caller.userId);
  const page = await payments.openMeansPage({
    payer: { userId: caller.userId, email },
    returnUrl: `${config.publicUrl}${body.return_to}`,
  });
  if (page.outcome === 'page') return { url: page.url };
  return refuse('unavailable', 'The payment service is not responding. Please try again shortly.');
};
