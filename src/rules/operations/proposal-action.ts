/** What one person of support proposes about an incident, and the trader carries out once another has approved it. */
export const INCIDENT_ACTIONS = [
  'ignore_row',
  'state_commission',
  'acknowledge',
  'release',
  'rebuild_books',
] as const;
export type IncidentAction = (typeof INCIDENT_ACTIONS)[number];

/** What counts as soon as a second person approves it. */
export const PROMPT_ACTIONS = [
  'explain_cash',
  'lift_halt',
  'cancel_orders',
  'liquidate',
  'resolve_order',
  'publish',
  'retire',
  'require_signature',
  'hide_figures',
  'show_figures',
  'close_unpaid',
  'refund',
] as const;
export type PromptAction = (typeof PROMPT_ACTIONS)[number];

export const PROPOSAL_ACTIONS = [...INCIDENT_ACTIONS, ...PROMPT_ACTIONS] as const;
export type ProposalAction = (typeof PROPOSAL_ACTIONS)[number];

const PROVIDER_ACTIONS: readonly ProposalAction[] = ['publish', 'retire', 'hide_figures', 'show_figures'];

/** Whose proposal and decision it is. */
export function roleOfAction(action: ProposalAction): 'support' | 'provider' {
  return PROVIDER_ACTIONS.some((one) => one === action) ? 'provider' : 'support';
}

/** Whether the second person says what they looked at, and not only yes. */
export const asksForWord = (action: ProposalAction): boolean => action === 'publish';

export const isIncidentAction = (action: ProposalAction): action is IncidentAction =>
  INCIDENT_ACTIONS.some((one) => one === action);
