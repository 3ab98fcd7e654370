// The reason of a deployment's state in two columns: its code, and the facts of the code.
import type { StatusReason } from '#engine/lifecycle/status-reason.ts';

type StatusReasonColumns = {
  readonly reason_code: StatusReason['code'] | null;
  readonly reason_params: unknown;
};

/** JSON, or null for a reason that is a code alone. */
export function statusReasonParams(reason: StatusReason | null): string | null {
  if (reason === null) return null;
  const { code: _, ...params } = reason;
  return Object.keys(params).length === 0 ? null : JSON.stringify(params);
}

/** From columns that were written from a reason. */
export function parseStatusReason({ reason_code, reason_params }: StatusReasonColumns): StatusReason | null {
  if (reason_code === null) return null;
  return { code: reason_code, ...(reason_params as object | null) } as StatusReason;
}
