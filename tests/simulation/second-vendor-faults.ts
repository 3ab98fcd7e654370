// A script of faults is written for the first vendor. What the second one can have of it, it has at the same time.
import type { Fault as OwnFault, FaultScript, Occasion } from '#sandbox/alpaca/faults/fault-script.ts';
import type { Fault, Rule } from '#sandbox/interactive-brokers/faults/fault-script.ts';

type Own = {
  readonly rules: FaultScript['rules'];
  /** The share of an order that a fill takes at most. */
  readonly fillsAtMost: number;
};

export function secondVendorRules(rules: readonly Rule[]): Own {
  const partial = rules.flatMap(({ fault }) => (fault.kind === 'partial_fill' ? [fault.share] : []));
  return {
    fillsAtMost: partial.length === 0 ? 1 : Math.max(0.1, Math.min(...partial)),
    rules: rules.flatMap((rule) => {
      const on = OCCASIONS[rule.on];
      const fault = faultOf(rule.fault);
      if (on === undefined || fault === null) return [];
      return [{ on, fault, ...(rule.probability !== undefined && { probability: rule.probability }) }];
    }),
  };
}

const OCCASIONS: { readonly [occasion in Rule['on']]?: Occasion } = {
  submit: 'submit',
  cancel: 'cancel',
  orders: 'orders',
  trades: 'fills',
  any: 'any',
};

function faultOf(fault: Fault): OwnFault | null {
  switch (fault.kind) {
    case 'lost':
      return { kind: 'lost', when: fault.when };
    case 'status':
      return { kind: 'status', status: fault.status, body: '{"code":50010000,"message":"internal error"}' };
    case 'penalty_box':
      return { kind: 'too_many' };
    case 'session_lost':
    case 'competing':
      return { kind: 'status', status: 503, body: '{"message":"service unavailable"}' };
    case 'reject':
      return {
        kind: 'status',
        status: 403,
        body: '{"code":40310000,"message":"insufficient buying power"}',
      };
    case 'html':
    case 'truncated':
      return { kind: fault.kind };
    case 'list':
      return { kind: 'list', how: LISTS[fault.how] ?? 'reordered' };
    case 'numbers':
      return { kind: 'field', field: 'qty', how: fault.how };
    default:
      return null;
  }
}

const LISTS: { readonly [how: string]: 'empty' | 'repeated' } = {
  empty: 'empty',
  partial: 'empty',
  repeated: 'repeated',
  whole_history: 'repeated',
};
