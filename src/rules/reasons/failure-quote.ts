// What a failing part reported, as a person may read it: faults of the network and of the machine in words. The log keeps
// the message as it came.
import { BROKER_FAILURE_CODES } from '#engine/execution/connection/broker-failure.ts';
import { withoutMarkup } from '#units/plain-text.ts';

/** Null where nothing is left to read. */
export function failureQuote(said: string): string | null {
  let quote = withoutMarkup(said).replaceAll(/\b(Uncaught )?[A-Z]\w*(Error|Exception): /g, '');
  for (const code of BROKER_FAILURE_CODES) quote = quote.replaceAll(`${code}: `, '');
  for (const { pattern, words } of FAULTS) quote = quote.replaceAll(pattern, words);
  return quote === '' ? null : quote;
}

/** An address, with or without its port. */
const ADDRESS = String.raw`(?: (?:[\d.]+|[\da-f]*:[\da-f:]+|[\w.-]+\.\w+|localhost)(?::\d+)?)?`;
const fault = (pattern: string, words: string) => ({ pattern: new RegExp(pattern, 'g'), words });

/** Those of the operating system that nobody is expected to meet. */
const OTHERS =
  'E2BIG|EADDRINUSE|EADDRNOTAVAIL|EAFNOSUPPORT|EAGAIN|EALREADY|EBADF|EBADMSG|EBUSY|ECANCELED|ECHILD|EDEADLK|EDESTADDRREQ|' +
  'EDOM|EDQUOT|EFAULT|EFBIG|EHOSTDOWN|EIDRM|EILSEQ|EINPROGRESS|EINTR|EINVAL|EIO|EISCONN|ELOOP|EMLINK|EMSGSIZE|EMULTIHOP|' +
  'ENAMETOOLONG|ENETDOWN|ENETRESET|ENFILE|ENOBUFS|ENODATA|ENODEV|ENOEXEC|ENOLCK|ENOLINK|ENOMEM|ENOMSG|ENOPROTOOPT|' +
  'ENOSR|ENOSTR|ENOSYS|ENOTCONN|ENOTEMPTY|ENOTSOCK|ENOTSUP|ENOTTY|ENXIO|EOPNOTSUPP|EOVERFLOW|EPROTO|EPROTONOSUPPORT|' +
  'EPROTOTYPE|ERANGE|ESPIPE|ESRCH|ESTALE|ETIME|ETXTBSY|EWOULDBLOCK|EXDEV';

/** The first that fits a part of the message replaces it; the last two catch what the others do not name. */
export const FAULTS: readonly { readonly pattern: RegExp; readonly words: string }[] = [
  fault(`(?:connect )?ECONNREFUSED${ADDRESS}`, 'the connection was refused'),
  fault(`(?:getaddrinfo )?(?:ENOTFOUND|EAI_AGAIN)${ADDRESS}`, 'the address could not be found'),
  fault(`(?:connect )?(?:EHOSTUNREACH|ENETUNREACH)${ADDRESS}`, 'there is no way through the network'),
  fault(
    `(?:connect )?(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)${ADDRESS}|The operation was aborted due to timeout`,
    'no answer came in time',
  ),
  fault(
    `(?:read |write )?(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)${ADDRESS}|other side closed|socket hang up`,
    'the connection broke off',
  ),
  fault('fetch failed', 'the connection failed'),
  fault(
    '(?:CERT|UNABLE_TO_VERIFY|DEPTH_ZERO|ERR_TLS)_[A-Z_]+|self-signed certificate',
    'the certificate of the server is not valid',
  ),
  fault('HTTP 429', 'too many requests at once'),
  fault('HTTP 40[1378]|HTTP 410', 'access was refused'),
  fault('HTTP 3\\d\\d', 'the server answered from another address'),
  fault('HTTP 4\\d\\d', 'the server refused the request'),
  fault('HTTP 5\\d\\d', 'the server has a fault'),
  fault('ENOSPC(?:: no space left on device)?(?:, \\w+)?', 'the disk is full'),
  fault('(?:EACCES|EPERM)(?:: [a-z ]+)?(?:, \\w+)?', 'access to a file was denied'),
  fault('(?:EROFS)(?:: [a-z -]+)?(?:, \\w+)?', 'the disk takes no writes'),
  fault('(?:ENOENT|ENOTDIR|EEXIST|EISDIR)(?:: [a-z ]+)?(?:, \\w+)?', 'a file is not where it belongs'),
  fault('EMFILE(?:: [a-z ]+)?(?:, \\w+)?', 'too many files are open'),
  fault('\\bHTTP \\d{3}\\b', 'the server answered with an error'),
  fault(`\\b(?:UND_ERR|ERR)_[A-Z_]+\\b|\\b(?:${OTHERS})\\b`, 'a technical fault'),
];
