import type { FastifyRequest } from 'fastify';
import {
  findViewer,
  listFigureSwitches,
  recordFiguresDecision,
} from '#records/suitability/figure-switches.ts';
import { decideFigures, figuresHiddenText, type Viewer } from '#rules/eligibility/figures-audience.ts';
import { utcDate } from '#units/instant.ts';
import type { Caller } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';

const VISITOR: Viewer = { status: 'visitor', country: null };

/** A caller with an expired token may renew it before counting as a visitor. */
export function refuseDeadToken(caller: Caller | null, request: FastifyRequest): Refused | null {
  if (caller !== null || request.headers.authorization === undefined) return null;
  return refuse('unauthenticated', 'Please sign in.');
}

/** Null when the caller may see hypothetical figures of published strategies. What is decided about a person is kept. */
export async function refuseFigures(
  caller: Caller | null,
  { records: { database }, now }: Pick<Dependencies, 'records' | 'now'>,
): Promise<Refused | null> {
  const switches = await listFigureSwitches(database);
  if (switches.length === 0) return null;
  const viewer = caller === null ? VISITOR : await findViewer(database, caller.userId);
  const decision = decideFigures(viewer, switches, utcDate(now()));
  if (caller !== null) await recordFiguresDecision(database, { userId: caller.userId, viewer, decision });
  return decision.isShown ? null : refuse('figures_hidden', figuresHiddenText(viewer));
}
