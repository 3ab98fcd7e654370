// Writes the examples of the OpenAPI document down from what the suite sent and got: RECORD_EXAMPLES=1 with a run of
// every-call.test.ts. Ids, secrets and times are replaced by lasting ones, and long lists cut, so that a recording
// changes only where the product does.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Endpoint } from '#contract/http/endpoint.ts';
import type { Sent } from './call-case.ts';
import type { Answered } from './send.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../src/contract/examples');
const SHOWN_TIME = Date.UTC(2026, 0, 5, 15);
const DAY_MS = 86_400_000;
const ITEMS_MAX = 3;
const SIGNS_MAX = 400;

export type Example = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  answer?: unknown;
  refusals: Record<string, unknown>;
};

export class ExampleBook {
  private readonly rooms = new Map<string, Record<string, Example>>();
  private readonly startedAt = Date.now();

  note(name: string, endpoint: Endpoint, call: { said: string; sent: Sent; answer: Answered }): void {
    const room = this.rooms.get(endpoint.room) ?? {};
    this.rooms.set(endpoint.room, room);
    const example = (room[name] ??= { refusals: {} });
    const lasting = lastingWords(this.startedAt);
    const { sent, answer, said } = call;
    if (said !== 'success') {
      example.refusals[said] = endpoint.refusesWithPage ? answer.text : lasting(JSON.parse(answer.text));
      return;
    }
    if (sent.params) example.params = lasting(sent.params);
    if (sent.query) example.query = lasting(sent.query);
    const body = sent.form ? onlyText(sent.form) : sent.body;
    if (body !== undefined) example.body = lasting(body);
    if (endpoint.status !== 204) example.answer = lasting(shownAnswer(answer));
  }

  write(): void {
    mkdirSync(FOLDER, { recursive: true });
    for (const [room, examples] of this.rooms)
      writeFileSync(path.join(FOLDER, `${room}.json`), `${JSON.stringify(examples, null, 2)}\n`);
  }
}

function onlyText(form: NonNullable<Sent['form']>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >;
}

function shownAnswer({ headers, text }: Answered): unknown {
  const type = headers['content-type'] ?? '';
  if (type.includes('json')) return JSON.parse(text) as unknown;
  return type.startsWith('image/') || type.includes('pdf') ? 'The bytes of the file' : text;
}

/** One per recorded call, so that the same id is the same in what was sent and in what came. */
function lastingWords(startedAt: number): <Value>(value: Value) => Value {
  const ids: string[] = [];
  const idOf = (id: string) => {
    if (!ids.includes(id)) ids.push(id);
    return `5b0f6f2e-7c1d-4e9a-8a34-${String(ids.indexOf(id) + 1).padStart(12, '0')}`;
  };
  const timeOf = (text: string) => {
    const time = Date.parse(text);
    const isOfTheRun = time > startedAt - DAY_MS && time < startedAt + 400 * DAY_MS;
    if (!isOfTheRun) return text;
    return new Date(SHOWN_TIME + Math.round((time - startedAt) / 60_000) * 60_000).toISOString();
  };
  const word = (text: string) =>
    cut(
      text
        .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}@/g, 'ada@')
        .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, idOf)
        .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl')
        .replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, 'Jq3vY0c2T5oW8rN1sB7uE4xZ6aD9gH0kL2mP5tQ8wR1')
        .replaceAll(/(?<=(?:oauth_token|state)(?:=|%3D))[\w-]+/g, 'Jq3vY0c2T5oW8rN1')
        .replaceAll(/(?<![\w-])[\da-f]{16}(?![\w-])/g, '9f86d081884c7d65')
        .replaceAll(/(?<=••••)[\w-]{4}/g, '4567')
        .replaceAll(/DU[\da-f-]{7}/g, 'DU1234567')
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, timeOf),
    );
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return word(value);
    if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]));
  };
  return (value) => replace(value) as typeof value;
}

function cut(text: string): string {
  return text.length > SIGNS_MAX ? `${text.slice(0, SIGNS_MAX)}…` : text;
}
