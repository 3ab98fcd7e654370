/** What a row of the audit log is about: the first word of its action. */
export const AUDIT_KINDS = {
  account_opening: 'Opening of an account',
  adjustment: 'Adjustment',
  agreement: 'Agreement',
  agreement_deadline: 'Day to sign an agreement by',
  attestation: 'Attestation',
  broker_session: 'Broker session',
  cash_break: 'Cash difference',
  chargeback: 'Payment taken back',
  client_note: 'Note on a client',
  connection: 'Connection',
  dead_letter: 'Failed job',
  deployment: 'Deployment',
  dispute: 'Disputed payment',
  fee_bill: 'Fee bill',
  fee_payment: 'Fee payment',
  figure_switch: 'Hypothetical figures',
  flow: 'Deposits and withdrawals',
  identity_check: 'Identity check',
  incident_note: 'Note on an incident',
  key: 'Key',
  kill_switch: 'Halt',
  liquidation_request: 'Liquidation request',
  order_resolution: 'Order settled',
  orders: 'Orders',
  person: 'Person',
  proposal: 'Proposal',
  reconciliation_break: 'Difference in the books',
  refund: 'Refund',
  risk_profile: 'Risk profile',
  setting: 'Setting',
  staff_invitation: 'Invitation of staff',
  stop_retry: 'Stop tried again',
} as const satisfies Readonly<Record<string, string>>;

export type AuditKind = keyof typeof AUDIT_KINDS;

export const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS) as readonly AuditKind[];
