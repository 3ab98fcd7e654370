// The vendor's published limits: requests of one user name in a second, and lists that may be asked for every few seconds.
// Whoever breaks one is in the penalty box.
const PER_SECOND = 10;
const EVERY_MS: Readonly<Record<string, number>> = {
  'GET /iserver/account/orders': 5_000,
  'GET /iserver/account/trades': 5_000,
  'GET /portfolio/accounts': 5_000,
  'POST /tickle': 1_000,
};
/** A request is counted when it arrives, and may have been a moment longer on its way than the one before. */
const ON_ITS_WAY_MS = 250;

export class Limits {
  readonly #recent = new Map<string, number[]>();
  readonly #lists = new Map<string, number>();

  /** What the request breaks; null when nothing. */
  broken(user: string, request: string, at: number): string | null {
    const recent = (this.#recent.get(user) ?? []).filter((before) => at - before < 1_000 - ON_ITS_WAY_MS);
    this.#recent.set(user, [...recent, at]);
    if (recent.length >= PER_SECOND) return `${recent.length + 1} requests of ${user} in a second`;
    const every = EVERY_MS[request];
    if (every === undefined) return null;
    const before = this.#lists.get(`${user} ${request}`);
    this.#lists.set(`${user} ${request}`, at);
    return before !== undefined && at - before < every - ON_ITS_WAY_MS
      ? `${request} of ${user} after ${at - before} ms`
      : null;
  }
}
