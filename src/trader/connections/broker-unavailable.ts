import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { BrokerAnswer, BrokerFailure } from '#ports/broker.ts';

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
  return answered(what, answer).value;
}

/** The whole answer, for a list whose unread rows count too. */
export function answered<Answer extends { readonly outcome: 'ok' }>(
  what: string,
  answer: Answer | BrokerFailure,
): Answer {
  if (answer.outcome === 'failed') throw new BrokerUnavailable(what, answer.code, answer.reason);
  return answer;
}
