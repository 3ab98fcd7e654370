// What takes two people: one of staff proposes it, another approves.
import type { TestAnswer, TestApp } from './test-app.ts';

type Token = { readonly token: string };

export const PROPOSALS = '/api/operations/proposals/';

/** With which publishing is approved: it takes a word of the second person. */
export const LOOKED = { decision: 'approve', reason: 'we read its rules, its figures and the attack' };

export function propose(
  { request }: Pick<TestApp, 'request'>,
  { token }: Token,
  body: object,
): Promise<TestAnswer> {
  return request({ method: 'POST', url: PROPOSALS, token, body: { reason: 'they looked into it', ...body } });
}

export function decide(
  { request }: Pick<TestApp, 'request'>,
  { token }: Token,
  { id, body = { decision: 'approve' } }: { readonly id: string; readonly body?: object },
): Promise<TestAnswer> {
  return request({ method: 'POST', url: `${PROPOSALS}${id}/decide/`, token, body });
}

/** The answer to the approval; to the proposal where that is refused. */
export async function agree(
  app: Pick<TestApp, 'request'>,
  [first, second]: readonly [Token, Token],
  body: { readonly action: string; readonly [field: string]: unknown },
): Promise<TestAnswer> {
  const proposed = await propose(app, first, body);
  const decision = { id: proposed.body.id as string, ...(body.action === 'publish' && { body: LOOKED }) };
  return proposed.status === 201 ? decide(app, second, decision) : proposed;
}
