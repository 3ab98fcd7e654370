// The brokerage session of one user: what must be asked after each start before anything else is answered, and which
// orders it shows.
import type { Order } from './books.ts';

export class BrokerageSession {
  /** Counts the sessions of this user; zero before the first. */
  number = 0;
  isAlive = false;
  selected = '';
  hasListedAccounts = false;
  /** Whether an order list was asked for: the first is empty. */
  hasListedOrders = false;
  hasListedPortfolio = false;
  /** Questions of the status that still find it not established, then lists of accounts without a bridge. */
  #unready = 0;
  #bridgeless = 0;
  readonly user: string;

  constructor(user: string) {
    this.user = user;
  }

  start(firstAccount: string): void {
    if (this.isAlive) return;
    this.number += 1;
    this.isAlive = true;
    this.selected = firstAccount;
    this.hasListedAccounts = false;
    this.hasListedOrders = false;
    this.#unready = 1;
    this.#bridgeless = 1;
  }

  end(): void {
    this.isAlive = false;
  }

  status(): object {
    const isReady = this.isAlive && this.#unready === 0;
    if (this.#unready > 0) this.#unready -= 1;
    return {
      authenticated: this.isAlive,
      established: isReady,
      competing: false,
      connected: this.isAlive,
      message: '',
      MAC: '98:F2:B3:23:BF:A0',
      serverInfo: { serverName: 'JifN19053', serverVersion: 'Build 10.25.0p, Dec 5, 2023 5:48:12 PM' },
    };
  }

  /** Why a trading question is not answered now, or null. */
  obstacle(path: string): string | null {
    if (!this.isAlive) return 'Bad Request: no bridge';
    if (path === '/iserver/accounts') {
      if (this.#bridgeless === 0) return null;
      this.#bridgeless -= 1;
      return 'Bad Request: no bridge';
    }
    return this.hasListedAccounts ? null : 'Bad Request: Please query /accounts first';
  }

  shows(order: Order): boolean {
    return this.isAlive && order.session === this.number;
  }
}
