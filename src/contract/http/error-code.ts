/** Every code that a refusal under /api can carry, its status, and what it means. The list is closed. */
export const ERROR_CODES = {
  malformed_request: {
    status: 400,
    meaning: 'The request is malformed: its JSON or its address.',
  },
  invalid_field: { status: 400, meaning: 'A field is missing or invalid; field names it.' },
  invalid_token: { status: 400, meaning: 'The link or token was used, has expired or was never valid.' },
  unauthenticated: { status: 401, meaning: 'No valid access token came with the request.' },
  authentication_failed: { status: 401, meaning: 'E-mail and password do not match.' },
  code_required: {
    status: 401,
    meaning: 'E-mail and password match; the sign-in also needs the second factor: a code or a passkey.',
  },
  account_disabled: { status: 403, meaning: 'The account is disabled: nobody signs in with it.' },
  session_ended: { status: 401, meaning: 'The session has ended, or its refresh token was used.' },
  forbidden: { status: 403, meaning: 'Signed in, but not permitted.' },
  confirmation_required: {
    status: 403,
    meaning: 'Confirm first that it is you, then repeat the call; details.by says with what.',
  },
  second_factor_required: { status: 403, meaning: 'Staff must set up a second factor first.' },
  key_refused: { status: 403, meaning: 'The API key may not do this; message says why.' },
  approval_required: {
    status: 403,
    meaning:
      'The act waits for the person to whom the API key belongs; details.act is its id. Look there again, and do not repeat it.',
  },
  figures_hidden: { status: 403, meaning: 'The provider does not show hypothetical figures to this caller.' },
  not_found: { status: 404, meaning: 'It does not exist, or it belongs to someone else.' },
  method_not_allowed: { status: 405, meaning: 'The address does not support this method.' },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  email_taken: { status: 409, meaning: 'An account with this e-mail already exists.' },
  illegal_move: { status: 409, meaning: 'The deployment’s current status does not allow this.' },
  already_decided: { status: 409, meaning: 'It was already decided or resolved.' },
  already_exists: { status: 409, meaning: 'It already exists; change it instead.' },
  in_use: { status: 409, meaning: 'Something else still depends on it.' },
  idempotency_conflict: {
    status: 409,
    meaning: 'The Idempotency-Key was used for another request, or its first request is still running.',
  },
  payload_too_large: { status: 413, meaning: 'The body is too large for this address.' },
  unsupported_media_type: { status: 415, meaning: 'This address does not accept the body’s content type.' },
  wrong_password: { status: 422, meaning: 'The current password is incorrect.' },
  wrong_code: { status: 422, meaning: 'The code is wrong, has expired or was used.' },
  wrong_passkey: {
    status: 422,
    meaning: 'The passkey was not accepted: it answers no open challenge of ours, or is not of this account.',
  },
  weak_password: { status: 422, meaning: 'The password is easy to guess; message says why.' },
  passwords_differ: { status: 422, meaning: 'The password and its confirmation do not match.' },
  out_of_range: { status: 422, meaning: 'The value is outside the allowed range.' },
  below_minimum: { status: 422, meaning: "The amount is below the strategy's minimum investment." },
  not_eligible: { status: 422, meaning: 'Age or country is missing, or does not allow investing here.' },
  risk_profile_missing: { status: 422, meaning: 'The risk questionnaire has not been answered yet.' },
  unsuitable: { status: 422, meaning: "The strategy's risk score is above the client's." },
  agreement_unsigned: { status: 422, meaning: 'The current investment agreement has not been signed.' },
  agreement_invalid: { status: 422, meaning: 'The signing session cannot be used in its current state.' },
  fee_unpaid: { status: 422, meaning: 'A performance fee is unpaid for too long.' },
  connection_inactive: { status: 422, meaning: 'The broker connection is not active.' },
  broker_not_integrated: { status: 422, meaning: 'This broker cannot be connected yet.' },
  market_unsupported: { status: 422, meaning: "The broker does not trade the strategy's market." },
  insufficient_cash: { status: 422, meaning: 'The account does not have enough available cash.' },
  strategy_unavailable: { status: 422, meaning: 'The strategy does not accept new deployments.' },
  draft_limit: {
    status: 422,
    meaning: 'As many drafts, or versions of one, are kept as one person may have.',
  },
  practice_limit: { status: 422, meaning: 'As many practice deployments run as one person may have.' },
  plan_limit: { status: 422, meaning: 'The subscription plan does not cover this.' },
  key_limit: { status: 422, meaning: 'The budget or the day limit of the API key does not cover this.' },
  payment_declined: {
    status: 422,
    meaning: 'The payment was declined; nothing was charged and nothing changed.',
  },
  description_unclear: {
    status: 422,
    meaning: 'The description names neither a market nor a style; details.not_understood lists the words.',
  },
  definition_invalid: {
    status: 422,
    meaning: 'The strategy definition is invalid; details.errors lists each place.',
  },
  image_invalid: { status: 422, meaning: 'The picture is not a readable PNG, JPEG or WebP image.' },
  too_many_requests: { status: 429, meaning: 'Too many requests; Retry-After says when to retry.' },
  internal_error: { status: 500, meaning: 'An internal error; nothing was changed.' },
  unavailable: { status: 503, meaning: 'Temporarily unavailable; Retry-After says when to retry.' },
  broker_unavailable: {
    status: 503,
    meaning: 'The broker is not responding; Retry-After says when to retry.',
  },
} as const satisfies Record<string, { readonly status: number; readonly meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The body of every refusal under /api. */
export type Refusal = {
  readonly code: ErrorCode;
  /** A sentence that a person understands. */
  readonly message: string;
  /** The field of the request that is wrong, where there is one. */
  readonly field?: string;
  readonly details?: Record<string, unknown>;
};
