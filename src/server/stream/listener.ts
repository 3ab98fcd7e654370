import { PassThrough } from 'node:stream';
import type { Instant } from '#units/instant.ts';
import type { Caller } from '../http/call.ts';

/** How much a slow reader may leave unread before it is dropped. */
const UNREAD_BYTES_MAX = 256 * 1024;
/** How long it may leave anything unread. */
const STALLED_AFTER_MS = 45_000;
/** Keeps proxies and the idle limit of the server from ending a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** As long as an access token; the browser reconnects with a fresh one. */
const LIFETIME_MS = 600_000;

/** One open stream. */
export class Listener {
  readonly caller: Caller;
  readonly stream = new PassThrough();
  private readonly openedAt: Instant;
  private lastSentAt: Instant;
  private unreadSince: Instant | null = null;

  constructor(caller: Caller, now: Instant) {
    this.caller = caller;
    this.openedAt = now;
    this.lastSentAt = now;
    this.stream.on('error', () => undefined);
    this.stream.write('retry: 3000\nevent: hello\ndata: {}\n\n');
  }

  get isOpen(): boolean {
    return !this.stream.destroyed && !this.stream.writableEnded;
  }

  send(event: 'notification' | 'fill' | 'mark', data: object, now: Instant): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`, now);
  }

  /** Called once per turn: sends a heartbeat when due, and ends the stream when it is too old or not being read. */
  look(now: Instant): void {
    const unread = this.stream.readableLength + this.stream.writableLength;
    if (unread === 0) this.unreadSince = null;
    else this.unreadSince ??= now;
    if (this.unreadSince !== null && now - this.unreadSince >= STALLED_AFTER_MS) this.stream.destroy();
    if (now - this.openedAt >= LIFETIME_MS) return this.end();
    if (now - this.lastSentAt >= HEARTBEAT_MS) this.write('event: here\ndata: {}\n\n', now);
  }

  end(): void {
    this.stream.end();
  }

  private write(text: string, now: Instant): void {
    if (!this.isOpen) return;
    this.lastSentAt = now;
    this.stream.write(text);
    if (this.stream.readableLength + this.stream.writableLength > UNREAD_BYTES_MAX) this.stream.destroy();
  }
}
