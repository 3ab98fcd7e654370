import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { BrokerAnswer } from '#ports/broker.ts';

/** The broker did not answer, or its answer was unusable: nothing may be concluded. */
export class BrokerUnavailable extends Error {
  readonly code: BrokerFailureCode;

  constructor(what: string, code: BrokerFailureCode, reason: string) {
    super(`${what}: ${code}: ${reason}`);
    this.code = code;
  }
}

/** Throws BrokerUnavailable: a list that failed is not an empty list. */
export function valueOf<Value>(what: string, answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new BrokerUnavailable(what, answer.code, answer.reason);
  return answer.value;
}
