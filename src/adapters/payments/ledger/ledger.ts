import type { FoundCharge, PaymentsPort } from '#ports/payments.ts';
import type { Micro } from '#units/money.ts';

/** Where the ledger keeps what it recorded. One reference and one refund are recorded once. */
export type LedgerStore = {
  /** Undefined for an unknown reference. */
  find(reference: string): Promise<{ readonly amount: Micro } | undefined>;
  /** What is recorded afterwards: an earlier amount stays. */
  record(reference: string, amount: Micro): Promise<{ readonly amount: Micro }>;
  /** False where more would be given back than was recorded. */
  refund(refund: {
    readonly id: string;
    readonly reference: string;
    readonly amount: Micro;
  }): Promise<boolean>;
};

/** Payments as records only, for the demo world: no card is asked for, and no money moves. */
export function ledgerPayments(store: LedgerStore): PaymentsPort {
  const find = async ({ reference }: { readonly reference: string }): Promise<FoundCharge> => {
    const recorded = await store.find(reference);
    return recorded === undefined ? { outcome: 'none' } : paid(reference, recorded.amount);
  };
  return {
    vendor: 'ledger',
    takesMoney: false,
    async charge({ reference, amount }) {
      if (amount <= 0) throw new RangeError(`a charge must be above zero: ${amount}`);
      return paid(reference, (await store.record(reference, amount)).amount);
    },
    find,
    withdraw: find,
    async refund({ id, reference, amount }) {
      if (await store.refund({ id, reference, amount }))
        return { outcome: 'made', vendorReference: `ledger-${id}` };
      return { outcome: 'refused', reason: 'more_than_paid' };
    },
    findDispute: async () => ({ outcome: 'unavailable', reason: 'no_disputes' }),
    erase: async () => ({ outcome: 'erased' }),
    openMeansPage: null,
    notices: null,
  };
}

function paid(reference: string, amount: Micro) {
  return { outcome: 'paid', vendorReference: `ledger-${reference}`, amount } as const;
}
