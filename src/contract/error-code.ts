/** Every code that a refusal under /api can carry, its status, and what it means. The list is closed. */
export const ERROR_CODES = {
  malformed_request: {
    status: 400,
    meaning: 'The request cannot be read: its JSON or its address is broken.',
  },
  invalid_field: { status: 400, meaning: 'A field is missing or not of the right form; field names it.' },
  invalid_token: { status: 400, meaning: 'The link or token was used, has expired, or never was valid.' },
  unauthenticated: { status: 401, meaning: 'No valid access token came with the request.' },
  authentication_failed: { status: 401, meaning: 'E-mail and password do not belong together.' },
  session_ended: { status: 401, meaning: 'The session was ended, or its refresh token is spent.' },
  forbidden: { status: 403, meaning: 'Signed in, but not allowed to do this.' },
  not_found: { status: 404, meaning: 'There is no such thing, or it is not yours.' },
  method_not_allowed: { status: 405, meaning: 'The address exists, but not for this method.' },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  email_taken: { status: 409, meaning: 'An account with this e-mail exists already.' },
  illegal_move: { status: 409, meaning: 'The life cycle of this deployment does not allow the move now.' },
  already_decided: { status: 409, meaning: 'It was decided, or it settled itself, before this arrived.' },
  already_exists: { status: 409, meaning: 'It exists already; change it instead.' },
  in_use: { status: 409, meaning: 'Something else still depends on it.' },
  idempotency_conflict: {
    status: 409,
    meaning: 'The Idempotency-Key was used for another request, or its first request still runs.',
  },
  payload_too_large: { status: 413, meaning: 'The body is larger than this address takes.' },
  unsupported_media_type: { status: 415, meaning: 'The body is of a type that this address does not take.' },
  wrong_password: { status: 422, meaning: 'The current password is incorrect.' },
  passwords_differ: { status: 422, meaning: 'The password and its confirmation are not the same.' },
  out_of_range: { status: 422, meaning: 'The value lies outside the range of its control.' },
  below_minimum: { status: 422, meaning: "The amount is below the strategy's minimum investment." },
  not_eligible: { status: 422, meaning: 'Age or country is missing, or does not allow investing here.' },
  risk_profile_missing: { status: 422, meaning: 'The risk questionnaire has not been answered yet.' },
  unsuitable: { status: 422, meaning: "The strategy's risk score is above the client's." },
  agreement_unsigned: { status: 422, meaning: 'The current investment agreement has not been signed.' },
  agreement_invalid: { status: 422, meaning: 'The signing session cannot be used in this state.' },
  connection_inactive: { status: 422, meaning: 'The broker connection is not active.' },
  broker_not_integrated: { status: 422, meaning: 'This broker cannot be connected yet.' },
  market_unsupported: { status: 422, meaning: "The broker does not trade the strategy's market." },
  insufficient_cash: { status: 422, meaning: 'The account does not hold enough free cash.' },
  strategy_unavailable: { status: 422, meaning: 'The strategy does not take new deployments.' },
  plan_limit: { status: 422, meaning: 'The subscription plan does not cover this.' },
  payment_declined: {
    status: 422,
    meaning: 'The payment was refused; nothing was taken and nothing changed.',
  },
  description_unclear: {
    status: 422,
    meaning: 'The description says neither what to trade nor how; details.not_understood names its parts.',
  },
  definition_invalid: {
    status: 422,
    meaning: 'The strategy definition cannot be used; details.errors names each place.',
  },
  image_invalid: { status: 422, meaning: 'The picture is no PNG, JPEG or WebP image that can be read.' },
  too_many_requests: { status: 429, meaning: 'Too many requests; Retry-After says when to come back.' },
  internal_error: { status: 500, meaning: 'Something failed on our side; nothing was changed.' },
  unavailable: { status: 503, meaning: 'Not able to serve now; Retry-After says when to come back.' },
  broker_unavailable: {
    status: 503,
    meaning: 'The broker does not answer; Retry-After says when to come back.',
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
