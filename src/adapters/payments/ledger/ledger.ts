import type { PaymentsPort } from '#ports/payments.ts';

/** Payments as records only, for the sandbox: the caller stores them, and no money moves. */
export function ledgerPayments(): PaymentsPort {
  return {
    vendor: 'ledger',
    takesMoney: false,
    charge: async ({ reference, amount }) => {
      if (amount <= 0) throw new RangeError(`a charge must be above zero: ${amount}`);
      return { outcome: 'paid', vendorReference: `ledger-${reference}` };
    },
  };
}
