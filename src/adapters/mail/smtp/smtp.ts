import { createTransport } from 'nodemailer';
import type { MailOutcome, MailPort } from '#ports/mail.ts';

type MailServer = {
  /** smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
  readonly url: string;
  /** Whether a server that offers no TLS gets nothing: resets of passwords are among the mails. */
  readonly requiresTls: boolean;
};

type SmtpConfig = MailServer & {
  /** The visible sender: 'Name <address>'. */
  readonly from: string;
};

const ANSWER_WITHIN_MS = 30_000;

/** Signs in at the server and leaves again: null, or why that is not possible. Nothing is sent. */
export async function mailServerFault(server: MailServer): Promise<string | null> {
  try {
    await createTransport(terms(server)).verify();
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}

/** Sends mails through an SMTP server, one connection each: there are few, and none waits for another. */
export function smtp({ from, ...server }: SmtpConfig): MailPort {
  const transport = createTransport(terms(server));
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
        return { outcome: 'sent' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}

function terms({ url, requiresTls }: MailServer) {
  return {
    url,
    requireTLS: requiresTls,
    connectionTimeout: ANSWER_WITHIN_MS,
    greetingTimeout: ANSWER_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
  };
}

/** nodemailer's codes for failures that occur before the server can have accepted any recipient. */
const BEFORE_ACCEPTANCE = new Set(['EDNS', 'EAUTH', 'EPROXY', 'ENOAUTH', 'EREQUIRETLS', 'ECONNREFUSED']);

type Failure = Error & { responseCode?: number; code?: string; syscall?: string; timeoutType?: string };

/** While connecting, greeting or setting up TLS; a timeout later comes as SOCKET_TIMEOUT. */
const EARLY_TIMEOUTS = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']);
/** System calls that fail while connecting. */
const CONNECTING = new Set(['connect', 'getaddrinfo']);

/** RFC 5321, 4.2.1: 4xx is transient, 5xx permanent. If the connection breaks later, the fate of the mail is unknown. */
function outcomeOf(error: unknown): MailOutcome {
  if (!(error instanceof Error)) throw error;
  const { responseCode, code, syscall, timeoutType, message: reason } = error as Failure;
  // That the server has no TLS says nothing of the mail.
  if (code === 'ETLS') return { outcome: 'refused', mayPass: true, reason };
  if (responseCode !== undefined && responseCode >= 400) {
    return { outcome: 'refused', mayPass: responseCode < 500, reason };
  }
  if (code === 'EENVELOPE') return { outcome: 'refused', mayPass: false, reason };
  const isEarly =
    BEFORE_ACCEPTANCE.has(code ?? '') ||
    CONNECTING.has(syscall ?? '') ||
    EARLY_TIMEOUTS.has(timeoutType ?? '');
  return isEarly ? { outcome: 'refused', mayPass: true, reason } : { outcome: 'unknown', reason };
}
