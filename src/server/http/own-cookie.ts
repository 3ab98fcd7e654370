import type { FastifyReply, FastifyRequest } from 'fastify';

type OwnCookie = {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
  /** Lax: it comes along when another site leads here, as a broker does after its sign-in. */
  readonly sameSite: 'Strict' | 'Lax';
};

/** Out of reach of scripts, and with https of this host alone: no neighbour under the same domain can set or read it. */
export function setOwnCookie(
  reply: FastifyReply,
  { name, value, seconds, sameSite }: OwnCookie,
  address: string,
): void {
  const secure = isSecure(address) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${ownName(name, address)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`,
  );
}

/** Null without such a cookie. */
export function findOwnCookie(request: FastifyRequest, name: string, address: string): string | null {
  const start = `${ownName(name, address)}=`;
  const found = (request.headers.cookie ?? '').split('; ').find((pair) => pair.startsWith(start));
  return found?.slice(start.length) ?? null;
}

/** Browsers take the prefix over https only. */
function ownName(name: string, address: string): string {
  return isSecure(address) ? `__Host-${name}` : name;
}

function isSecure(address: string): boolean {
  return address.startsWith('https:');
}
