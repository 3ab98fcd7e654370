import type { Incident } from '#contract/operations/incident.ts';

type Place = {
  /** The heading of the list at the desk. */
  readonly section: string;
  readonly label: string;
};

/** Where at the desk an incident of this kind is decided; null where there is nothing to decide in the product. */
export function decisionPlace(kind: Incident['kind']): Place | null {
  switch (kind) {
    case 'exit_waits_for_stop':
    case 'exit_waits_for_order':
    case 'order_unconfirmed':
      return { section: 'orders', label: 'Resolve the order' };
    case 'execution_held':
      return { section: 'executions', label: 'Go to the fill' };
    case 'position_unexplained':
      return { section: 'differences', label: 'Go to the difference' };
    case 'cash_unexplained':
      return { section: 'cash-differences', label: 'Go to the difference' };
    case 'row_unread':
    case 'instrument_unsure':
      return { section: 'unread-rows', label: 'Go to the row' };
    case 'commission_missing':
      return { section: 'missing-commissions', label: 'Enter the commission' };
    case 'position_unprotected':
      return { section: 'unprotected', label: 'Go to the position' };
    case 'deployment_quarantined':
      return { section: 'quarantined', label: 'Release it' };
    case 'books_differ':
      return { section: 'differing-books', label: 'Go to the figures' };
    case 'job_dead':
      return { section: 'dead-letters', label: 'Decide about the job' };
    case 'connection_lost':
    case 'connection_degraded':
    case 'connection_sign_in_due':
    case 'connection_competing':
    case 'connection_read_only':
      return { section: 'connections', label: 'Go to the connection' };
    default:
      return null;
  }
}

/** Whether a list of the desk shows the same thing once more, with its decision. */
export function isListedBelow(kind: Incident['kind']): boolean {
  return LISTED_BELOW.includes(kind);
}

const LISTED_BELOW: readonly Incident['kind'][] = [
  'exit_waits_for_stop',
  'exit_waits_for_order',
  'order_unconfirmed',
  'execution_held',
  'cash_unexplained',
  'position_unexplained',
  'job_dead',
];
