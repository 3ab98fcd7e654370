import type { FastifyInstance } from 'fastify';
import { HalfCharacter } from './answer-errors.ts';

/** Calls without a body, such as pause, may have the JSON media type and an empty body. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text.length === 0 && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    if (nestsDeeper(text, NESTING_MAX)) return done(new Error(`nested deeper than ${NESTING_MAX}`));
    if (holdsHalfCharacter(text)) return done(new HalfCharacter());
    return parse(request, text, done);
  });
}

/** One half of a surrogate pair, which only an escape can send: no database stores it, and no UTF-8 has it. */
function holdsHalfCharacter(text: string): boolean {
  if (!SURROGATE_ESCAPE.test(text)) return false;
  let found = false;
  try {
    JSON.parse(text, (key, value: unknown) => {
      found ||= !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
      return value;
    });
  } catch {
    return false;
  }
  return found;
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Strategies nest about ten deep. What is parsed by a loop may still overflow the stack of whoever walks it. */
const NESTING_MAX = 100;

/** Brackets inside of strings count too: nobody writes a hundred more of them opened than closed. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i);
    if (sign === OPEN_BRACKET || sign === OPEN_BRACE) depth += 1;
    else if (sign === CLOSE_BRACKET || sign === CLOSE_BRACE) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
