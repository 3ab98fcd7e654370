import type { BrokerConnection } from '#contract/brokerage.ts';

/** 'Paper account ••••0042' for practice money; 'Account …' where it is real or the broker does not say. */
export function accountTitle({
  account_id: number,
  is_paper: isPaper,
}: Pick<BrokerConnection, 'account_id' | 'is_paper'>): string {
  return `${isPaper === true ? 'Paper account' : 'Account'} ${number ?? ''}`.trim();
}
