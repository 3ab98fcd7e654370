// The tools of an agent, made from the contract: one for each call that a key may make and whose answer is JSON.
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type EndpointName, EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { KEY_USE_OF, keyMay, type KeyUse } from '#contract/http/key-policies.ts';
import { canAct, type KeyScope } from '#rules/api-keys/key-terms.ts';

type Properties = Record<string, NonNullable<Tool['inputSchema']['properties']>[string]>;
type ObjectSchema = { type: 'object'; properties: Properties; required: string[]; [key: string]: unknown };

/** As the protocol lists it. */
export type ListedTool = {
  readonly name: EndpointName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: false;
  };
};

export type AgentTool = ListedTool & { readonly endpoint: Endpoint; readonly use: KeyUse };

/** What the transport itself says, and forms with files, are no tools. */
function isTool(name: EndpointName, { form, media, room }: Endpoint): boolean {
  return keyMay(name) && form === undefined && media === undefined && room !== 'operations';
}

function toolOf(name: EndpointName, endpoint: Endpoint): AgentTool {
  const use = KEY_USE_OF[name];
  const isRead = use === 'read';
  return {
    name,
    title: endpoint.summary,
    description: [`${endpoint.summary}.`, endpoint.description, NOTES[use]].filter(Boolean).join(' '),
    inputSchema: inputSchemaOf(endpoint),
    annotations: {
      readOnlyHint: isRead,
      destructiveHint: !isRead && use !== 'practice',
      idempotentHint: isRead || endpoint.idempotent === true,
      openWorldHint: false,
    },
    endpoint,
    use,
  };
}

const NOTES: Readonly<Record<KeyUse, string | null>> = {
  read: null,
  practice: 'Counts as one act of the day. Practice money only.',
  trade:
    'Real money: the answer is approval_required, and the person decides. Do not repeat it; look at getKeyAct.',
  steer:
    'Only for deployments of this key. With practice money it is done at once; with real money all but a pause waits for the person.',
  never: null,
};

/** Parameters, query and body in one flat object: their names do not meet, which a test holds. */
function inputSchemaOf({ params, query, body, idempotent }: Endpoint): ObjectSchema {
  const parts = [params, query, body].filter((part) => part !== undefined).map(schemaOf);
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Properties;
  if (idempotent)
    properties[IDEMPOTENCY_KEY] = {
      type: 'string',
      maxLength: 200,
      description: 'Choose a new one for each act and repeat it on a retry: the act is then done once.',
    };
  const definitions = Object.assign({}, ...parts.map((part) => part['$defs'] ?? {})) as Record<
    string,
    object
  >;
  return {
    type: 'object',
    properties,
    required: parts.flatMap((part) => part.required ?? []),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

export const IDEMPOTENCY_KEY = 'idempotency_key';

function schemaOf(schema: z.ZodType): ObjectSchema {
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Described;
  const named = made.$ref === undefined ? made : made.$defs?.[made.$ref.replace('#/$defs/', '')];
  const choices = named?.oneOf ?? named?.anyOf ?? (named === undefined ? [] : [named]);
  if (choices.length === 0 || choices.some(({ type }) => type !== 'object'))
    throw new Error('a tool takes an object');
  const $defs = made.$defs ?? {};
  return { ...merged(choices), ...(Object.keys($defs).length > 0 && { $defs }) };
}

type Described = {
  readonly type?: string;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Described>>;
  readonly oneOf?: readonly Described[];
  readonly anyOf?: readonly Described[];
};

/** One object for all choices: what each may have, and what every one must. The API says what does not go together. */
function merged(choices: readonly Described[]): ObjectSchema {
  const properties: Properties = {};
  for (const name of new Set(choices.flatMap((choice) => Object.keys(choice.properties ?? {})))) {
    const different = new Map(
      choices.flatMap(({ properties: own }) => {
        const said = own?.[name];
        return said === undefined ? [] : [[JSON.stringify(said), said] as const];
      }),
    );
    const [first] = [...different.values()];
    properties[name] = different.size === 1 ? first! : { anyOf: [...different.values()] };
  }
  const required = (choices[0]?.required ?? []).filter((name) =>
    choices.every((choice) => choice.required?.includes(name)),
  );
  return { type: 'object', properties, required };
}

export const EVERY_TOOL: readonly AgentTool[] = (
  Object.entries(EVERY_ENDPOINT) as unknown as (readonly [EndpointName, Endpoint])[]
)
  .filter(([name, endpoint]) => isTool(name, endpoint))
  .map(([name, endpoint]) => toolOf(name, endpoint));

/** The sets by risk that a key may use. */
export function toolsFor(scopes: readonly KeyScope[]): readonly AgentTool[] {
  return EVERY_TOOL.filter(({ use }) =>
    use === 'steer' ? canAct(scopes) : scopes.includes(use as KeyScope),
  );
}
