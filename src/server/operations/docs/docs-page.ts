import { ERROR_CODES } from '#contract/http/error-code.ts';
import { escapeHtml } from '../../http/escape-html.ts';

/** The parts of an OpenAPI 3.1 document that the page shows. */
export type ApiDocument = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
};

type Operation = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: unknown;
  }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
};

type Named = { readonly method: string; readonly path: string; readonly operation: Operation };

/** One page without a script: every operation by room, every schema, every code. */
export function docsPage(document: ApiDocument): string {
  const { title, version, description = '' } = document.info;
  const rooms = byRoom(document);
  const schemas = Object.entries(document.components?.schemas ?? {});
  const links = [...rooms.keys()].map((room) => `<a href="#${room}">${room}</a>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/reader.css">
</head>
<body>
<main>
<h1>${escapeHtml(title)} API <small>${escapeHtml(version)}</small></h1>
<p>${escapeHtml(description)}</p>
<p>For machines: <a href="/api/openapi.json">openapi.json</a>, and <a href="/api/client.ts">a client in TypeScript</a>. Calls marked with a key need <code>Authorization: Bearer</code> with the token of a sign-in.</p>
<nav aria-label="Rooms">${links}
<a href="#schemas">schemas</a>
<a href="#codes">codes</a></nav>
${[...rooms].map(([room, named]) => `<section id="${room}"><h2>${room}</h2>${named.map(showOperation).join('')}</section>`).join('\n')}
<section id="schemas"><h2>schemas</h2>${schemas.map(([name, schema]) => folded(name, json(schema), `schema-${name}`)).join('')}</section>
<section id="codes"><h2>codes</h2><dl>${showCodes()}</dl></section>
</main>
</body>
</html>
`;
}

function byRoom({ paths }: ApiDocument): Map<string, Named[]> {
  const rooms = new Map<string, Named[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const room = operation.tags?.[0] ?? 'other';
      rooms.set(room, [...(rooms.get(room) ?? []), { method, path, operation }]);
    }
  }
  return rooms;
}

function showOperation({ method, path, operation }: Named): string {
  const key = operation.security?.length ? ' <span title="Needs a sign-in">key</span>' : '';
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, schema }) =>
      `<li><code>${escapeHtml(name)}</code> in ${place}${required ? ', required' : ''} ${json(schema)}</li>`,
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<p>Body, ${escapeHtml(type)}</p>${json(schema)}`,
  );
  const [success] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const refusals = Object.keys(operation.responses).filter((status) => !status.startsWith('2'));
  const inner = `<p>${escapeHtml(operation.description ?? operation.summary ?? '')}</p>
${parameters.length > 0 ? `<ul>${parameters.join('')}</ul>` : ''}${bodies.join('')}
<p>Answers ${success?.[0] ?? ''}</p>${json(success?.[1].content ?? null)}
<p>Refuses with ${refusals.join(', ')}</p>`;
  const label = `<code>${method.toUpperCase()} ${escapeHtml(path)}</code>${key} ${escapeHtml(operation.summary ?? '')}`;
  return `<details id="${escapeHtml(operation.operationId)}"><summary>${label}</summary>${inner}</details>`;
}

function folded(name: string, inner: string, id: string): string {
  return `<details id="${escapeHtml(id)}"><summary><code>${escapeHtml(name)}</code></summary>${inner}</details>`;
}

/** A schema as JSON, with its references as links. */
function json(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = escapeHtml(JSON.stringify(value, null, 2));
  const linked = text.replace(
    /#\/components\/schemas\/(\w+)/g,
    (reference, name: string) => `<a href="#schema-${name}">${reference}</a>`,
  );
  return `<pre>${linked}</pre>`;
}

function showCodes(): string {
  return Object.entries(ERROR_CODES)
    .map(
      ([code, { status, meaning }]) =>
        `<dt><code>${code}</code> ${status}</dt><dd>${escapeHtml(meaning)}</dd>`,
    )
    .join('');
}
