// Who outside of the product is told of what.

export type Receivers = {
  /** Who is alarmed of incidents to act on now: an address for mail, an alarm system that takes signed posts. */
  readonly operator: Receiver;
  /** Where signed anchors of the audit log go: out of reach of whoever rules this machine and its database. */
  readonly anchors: Receiver;
};

export type Receiver = {
  readonly email: string | null;
  readonly webhook: { readonly url: string; readonly secret: string } | null;
};

export function readReceivers(text: (name: string) => string | null): Receivers {
  return { operator: readReceiver(text, 'OPERATOR'), anchors: readReceiver(text, 'ANCHOR') };
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
