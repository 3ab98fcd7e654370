import { z } from 'zod';
import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import { EVERY_ENDPOINT, type EndpointName } from '#contract/every-endpoint.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { endAct } from '#records/api-keys/key-acts.ts';
import { asApiKey } from '#records/postgres/row-scope.ts';
import type { Call } from '../http/call.ts';
import { refusedByDatabase } from '../http/act-with-key.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isRefused, refuse, type Refused, statusOf } from '../http/refusal.ts';
import { decide, showOwnAct } from './decide-key-act.ts';

/** Calls by their names; which of them may wait is what act-with-key.ts wrote. */
export type Acts = Readonly<Partial<Record<EndpointName, unknown>>>;
type Perform = (input: Record<string, unknown>, dependencies: Dependencies) => Promise<unknown>;

/**
 * Carried out now, as the person and with the key beside them in the audit log: every check is made again, and the budget of the key
 * holds. What it makes has the id of the act, so that nothing is made twice.
 */
export const acceptKeyAct =
  (acts: Acts): Call<typeof apiKeysEndpoints.acceptKeyAct> =>
  async ({ params: { id }, caller, request, reply }, dependencies) => {
    const { userId } = caller;
    const act = await decide({ id, userId, verdict: 'running' }, dependencies);
    if (isRefused(act)) return act;
    const endpoint = EVERY_ENDPOINT[act.call as EndpointName] as Endpoint;
    const perform = acts[act.call as EndpointName] as Perform | undefined;
    if (perform === undefined) throw new Error(`the call ${act.call} waits, and nobody carries it out`);
    const input = {
      params: (endpoint.params ?? z.object({})).parse(act.params),
      body: endpoint.body?.parse(act.body),
      query: undefined,
      caller,
      request,
      reply,
      repetitionId: act.id,
    };
    const answer = await asApiKey({ userId, apiKeyId: act.keyId }, () => perform(input, dependencies)).catch(
      async (error: unknown) => {
        const refused = refusedByDatabase(error);
        if (refused !== null) return refused;
        await end(id, WAITS_AGAIN, dependencies);
        throw error;
      },
    );
    if (isRefused(answer) && statusOf(answer.code) >= 500) {
      await end(id, WAITS_AGAIN, dependencies);
      return refuse('unavailable', answer.message);
    }
    const outcome = isRefused(answer) ? (answer as Refused).message : null;
    await end(id, { status: outcome === null ? 'done' : 'refused', outcome }, dependencies);
    return showOwnAct({ id, userId }, dependencies);
  };

/** A service did not answer: the person may accept it again. */
const WAITS_AGAIN = { status: 'waiting', outcome: null } as const;

function end(
  id: string,
  became: Omit<Parameters<typeof endAct>[1], 'id'>,
  { records }: Dependencies,
): Promise<void> {
  return endAct(records.database, { id, ...became });
}
