import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { EndpointName } from '#contract/every-endpoint.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { isActOfKey, KEY_USE_OF } from '#contract/http/key-policies.ts';
import { POLICY_OF, type Who } from '#contract/http/policies.ts';
import { asApiKey, asEverybody, asPerson } from '#records/postgres/row-scope.ts';
import { actWithKey } from './act-with-key.ts';
import type { Call } from './call.ts';
import type { Dependencies } from './dependencies.ts';
import { sendRefusal } from './answer-errors.ts';
import { answerIdempotently } from './answer-idempotently.ts';
import { describeEndpoint } from './openapi/describe-endpoint.ts';
import { refuseUnconfirmed } from './refuse-unconfirmed.ts';
import { isRefused } from './refusal.ts';

/** The calls of one room: exactly one for each of its endpoints. */
export type RoomCalls<Endpoints extends Record<string, Endpoint>> = {
  readonly [Name in keyof Endpoints]: Call<Endpoints[Name]>;
};

export function mountRoom<Endpoints extends Record<string, Endpoint>>(
  app: FastifyInstance,
  dependencies: Dependencies,
  room: { readonly endpoints: Endpoints; readonly calls: RoomCalls<Endpoints> },
): void {
  for (const name of Object.keys(room.endpoints) as (keyof Endpoints & EndpointName)[]) {
    mount(app, dependencies, name, room.endpoints[name]!, room.calls[name]! as unknown as AnyCall);
  }
}

/** The type of a call whose endpoint is known only at run time; mountRoom has checked that they match. */
type AnyCall = (input: AnyInput, dependencies: Dependencies) => Promise<unknown>;
type AnyInput = {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: FastifyRequest['caller'];
  readonly request: FastifyRequest;
  readonly reply: unknown;
  readonly repetitionId: string | null;
};

function mount(
  app: FastifyInstance,
  dependencies: Dependencies,
  name: EndpointName,
  endpoint: Endpoint,
  call: AnyCall,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: describeEndpoint(name, endpoint) as NonNullable<RouteShorthandOptions['schema']>,
    config: {
      security: endpoint.security,
      who: POLICY_OF[name],
      name,
      opensByLink: endpoint.opensByLink === true,
      isData: endpoint.media === undefined,
    },
    handler: (request, reply) => inScope(request, POLICY_OF[name], () => answer(request, reply)),
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { params, query, body, caller } = request;
    // A key was confirmed when it was made, and what it may do is little.
    if (endpoint.confirms !== undefined && caller !== null && caller.key === undefined) {
      const refused = await refuseUnconfirmed(caller, endpoint.confirms, dependencies);
      if (refused !== null) return sendRefusal(reply, refused);
    }
    const perform = (repetitionId: string | null) =>
      call({ params, query, body, caller, request, reply, repetitionId }, dependencies);
    const act = caller?.key && isActOfKey(KEY_USE_OF[name]) ? { key: caller.key, name, params, body } : null;
    const carryOut = (repetitionId: string | null) =>
      act === null ? perform(repetitionId) : actWithKey(act, () => perform(repetitionId), dependencies);
    const answered = endpoint.idempotent
      ? await answerIdempotently({ request, endpoint, carryOut }, dependencies)
      : await carryOut(null);
    if (isRefused(answered)) return sendRefusal(reply, answered);
    if (reply.statusCode === 200) reply.status(endpoint.status);
    if (request.isByLink) {
      // It is saved, and no copy is opened again by the address.
      reply.header('cache-control', 'private, no-store');
      if (!reply.hasHeader('content-disposition'))
        reply.header('content-disposition', `attachment; filename="${name.replace(/^get/, '')}.json"`);
    }
    if (endpoint.media) reply.type(typeOf(endpoint.media));
    return reply.send(answered);
  }
}

/** The rows that a call may see: all for staff and for who holds the secret that it names, else those of its caller. */
function inScope<Value>({ caller, staff }: FastifyRequest, who: Who, work: () => Value): Value {
  if (caller?.key) return asApiKey({ userId: caller.userId, apiKeyId: caller.key.id }, work);
  return staff !== null || who === 'holder' ? asEverybody(work) : asPerson(caller?.userId ?? null, work);
}

function typeOf(media: NonNullable<Endpoint['media']>): string {
  return /^image\/|octet-stream$/.test(media) ? media : `${media}; charset=utf-8`;
}
