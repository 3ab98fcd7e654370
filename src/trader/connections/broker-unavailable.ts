import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { BrokerAnswer, BrokerFailure } from '#ports/broker.ts';
import type { WallInstant } from '#units/wall-instant.ts';

/** The broker did not answer, or its answer was unusable: nothing may be concluded. */
export class BrokerUnavailable extends Error {
  readonly code: BrokerFailureCode;
  readonly until: WallInstant | null;

  constructor(what: string, code: BrokerFailureCode, reason: string, until: WallInstant | null = null) {
    super(`${what}: ${code}: ${reason}`);
    this.code = code;
    this.until = until;
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
  if (answer.outcome === 'failed') {
    const { code, reason, until } = answer;
    throw new BrokerUnavailable(what, code, reason, until);
  }
  return answer;
}
