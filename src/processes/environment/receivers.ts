// Who outside of the product is told of what.
import { readFileSync } from 'node:fs';
import { readTracing, type TracingEnvironment } from './tracing-settings.ts';

export type Receivers = {
  /** Who is alarmed of incidents to act on now: an address for mail, an alarm system that takes signed posts. */
  readonly operator: Receiver;
  /** Where signed anchors of the audit log go: out of reach of whoever rules this machine and its database. */
  readonly anchors: Receiver;
  /** Where each log line goes besides standard output; null: nowhere. */
  readonly logCollector: LogCollectorSettings | null;
  /** Null: the stages of the chain are traced nowhere. */
  readonly tracing: TracingEnvironment | null;
};

export type LogCollectorSettings = {
  readonly host: string;
  readonly port: number;
  /** PEM, for a certificate authority of one's own; null for those that Node knows. */
  readonly ca: string | null;
};

export type Receiver = {
  readonly email: string | null;
  readonly webhook: { readonly url: string; readonly secret: string } | null;
};

export function readReceivers(text: (name: string) => string | null): Receivers {
  return {
    operator: readReceiver(text, 'OPERATOR'),
    anchors: readReceiver(text, 'ANCHOR'),
    logCollector: readLogCollector(text),
    tracing: readTracing(text),
  };
}

function readReceiver(text: (name: string) => string | null, prefix: string): Receiver {
  return { email: text(`${prefix}_EMAIL`), webhook: readWebhook(text, `${prefix}_WEBHOOK`) };
}

/** Its receiver must be able to tell our posts from those of others. */
function readWebhook(text: (name: string) => string | null, name: string): Receiver['webhook'] {
  const [url, secret] = [text(name), text(`${name}_SECRET`)];
  if (url === null) return null;
  if (!/^https?:\/\/[^\s]+$/.test(url))
    throw new Error(`${name} must be an address, such as https://alarms.example.test/bellwether`);
  if (secret === null || secret.length < SECRET_MIN)
    throw new Error(`${name} needs ${name}_SECRET, at least ${SECRET_MIN} characters to sign with`);
  return { url, secret };
}

const SECRET_MIN = 16;

function readLogCollector(text: (name: string) => string | null): LogCollectorSettings | null {
  const [address, file] = [text('LOG_HOST'), text('LOG_CA_FILE')];
  if (address === null) return null;
  const [, host, port] = /^([\w.-]+):(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(`LOG_HOST must be a host and a port, such as logs.example.test:6514, not "${address}"`);
  return { host, port: Number(port), ca: file === null ? null : readAuthority(file) };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`LOG_CA_FILE cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
