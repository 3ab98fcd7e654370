import { unpackBars } from '#contract/strategies/packed-bars.ts';
import type { Passport } from '#engine/evidence/passport.ts';
import { inputOf } from '#engine/evidence/verify-passport.ts';
import { Rehearser } from '#engine/rehearsal/rehearsal.ts';
import { holdingsOf } from './holdings.ts';
import type { RehearsalAnswer, RehearsalRequest } from './rehearsal-messages.ts';

let rehearser: Rehearser | null = null;

self.addEventListener('message', ({ data }: MessageEvent<RehearsalRequest>) => {
  if (data.kind === 'load') void load(data);
  else if (rehearser !== null) say({ kind: 'rehearsed', rehearsal: rehearser.rehearse(data.terms) });
});

async function load({
  passportUrl,
  barsUrl,
  token,
}: Extract<RehearsalRequest, { kind: 'load' }>): Promise<void> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  let parts: [Passport, Uint8Array];
  try {
    parts = await Promise.all([readJson<Passport>(passportUrl, headers), readBytes(barsUrl, headers)]);
  } catch {
    say({ kind: 'failed', message: 'The prices could not be loaded.', isRepeatable: true });
    return;
  }
  try {
    const input = inputOf(parts[0], unpackBars(parts[1]));
    if (typeof input === 'string') return say({ kind: 'failed', message: input, isRepeatable: false });
    rehearser = new Rehearser(input);
    say({ kind: 'loaded', holdings: holdingsOf(input) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say({ kind: 'failed', message: `It cannot be rehearsed: ${reason}.`, isRepeatable: false });
  }
}

type Headers = Readonly<Record<string, string>>;

async function readJson<T>(url: string, headers: Headers): Promise<T> {
  const response = await fetch(url, { headers: { accept: 'application/json', ...headers } });
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return (await response.json()) as T;
}

/** Says how much has arrived. */
async function readBytes(url: string, headers: Headers): Promise<Uint8Array> {
  const response = await fetch(url, { headers });
  if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    receivedBytes += value.length;
    say({ kind: 'loading', receivedBytes });
  }
  const bytes = new Uint8Array(receivedBytes);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function say(answer: RehearsalAnswer): void {
  self.postMessage(answer);
}
