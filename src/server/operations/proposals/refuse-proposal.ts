import type { ErrorCode } from '#contract/http/error-code.ts';
import { type ProposalRefusal, proposalRefusal } from '#rules/reasons/proposal-refusal.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

const CODES: { readonly [Refusal in ProposalRefusal]: ErrorCode } = {
  cut: 'in_use',
  own_order: 'in_use',
  own_position: 'in_use',
  open_order: 'in_use',
  changed: 'already_decided',
  gone: 'already_decided',
  own_work: 'forbidden',
  open_already: 'already_exists',
  date_past: 'out_of_range',
  date_far: 'out_of_range',
  tried_soon: 'in_use',
  word_missing: 'invalid_field',
  word_needless: 'invalid_field',
};

const FIELDS: { readonly [Code in ErrorCode]?: { readonly field: string } } = {
  out_of_range: { field: 'until' },
  invalid_field: { field: 'reason' },
};

export function refuseProposal(refusal: ProposalRefusal): Refused {
  const code = CODES[refusal];
  return refuse(code, proposalRefusal(refusal), FIELDS[code] ?? {});
}
