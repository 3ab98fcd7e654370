import type { Readable } from 'node:stream';
import { listEndedSessions } from '#records/identity/sessions.ts';
import { readNews, readRevisions, readStreamPlace, type StreamPlace } from '#records/notifications/stream.ts';
import type { NotificationRecord } from '#records/notifications/notifications.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Caller } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { Listener } from './listener.ts';
import { showFill } from './show-fill.ts';
import { pushSeconds, tracePushes } from './trace-pushes.ts';

const TURN_MS = 1_000;
/** Tabs of one person share a stream; a few devices may have one each. */
const STREAMS_EACH_MAX = 6;

/** A row as the rooms' calls return it. */
type StreamViews = {
  readonly notification: (record: NotificationRecord) => object;
  readonly deployment: (own: { readonly id: string; readonly userId: UserId }) => Promise<object | undefined>;
};

/**
 * Sends each listener its news once a second, with the same few statements for any number of listeners. Nothing runs
 * without listeners.
 */
export class StreamHub {
  private readonly dependencies: Dependencies;
  private readonly views: StreamViews;
  private readonly listeners = new Map<UserId, Set<Listener>>();
  /** By user, then deployment: the last revision sent. */
  private readonly revisions = new Map<UserId, Map<string, string>>();
  private place: StreamPlace | null = null;
  private timer: NodeJS.Timeout | null = null;
  private turning: Promise<void> | null = null;
  private isClosed = false;
  private onPush: (seconds: number) => void = () => undefined;

  constructor(dependencies: Dependencies, views: StreamViews) {
    this.dependencies = dependencies;
    this.views = views;
  }

  get size(): number {
    return this.everyListener().length;
  }

  /** Called with the seconds from each booking until its fill was written to streams. */
  measurePushes(onPush: (seconds: number) => void): void {
    this.onPush = onPush;
  }

  /** Null when this user already has too many open. */
  open(caller: Caller): Readable | null {
    const own = this.listeners.get(caller.userId) ?? new Set();
    if (own.size >= STREAMS_EACH_MAX) return null;
    const listener = new Listener(caller, this.dependencies.now());
    if (this.isClosed) {
      listener.end();
      return listener.stream;
    }
    this.listeners.set(caller.userId, own.add(listener));
    listener.stream.once('close', () => this.forget(listener));
    this.schedule();
    return listener.stream;
  }

  /** Ends every stream, and those that a call under way still opens; nothing is read from the database after that. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    for (const listener of this.everyListener()) listener.end();
    await this.turning;
  }

  private schedule(): void {
    if (this.isClosed) return;
    this.timer ??= setTimeout(() => {
      this.turning = asEverybody(() => this.turn());
    }, TURN_MS);
  }

  private async turn(): Promise<void> {
    try {
      await this.tell();
    } catch (error) {
      // Listeners reconnect, and poll until then.
      const { logger } = this.dependencies;
      if (logger) logger.error({ err: error }, 'the stream could not be notified');
      for (const listener of this.everyListener()) listener.end();
      // What changed meanwhile is read by whoever listens next.
      this.revisions.clear();
      this.place = null;
    }
    this.timer = null;
    if (this.listeners.size > 0) this.schedule();
    else this.place = null;
  }

  private async tell(): Promise<void> {
    const { records, now } = this.dependencies;
    const { pool } = records;
    const sessions = [...new Set(this.everyListener().map(({ caller }) => caller.sessionId))];
    const ended = await listEndedSessions(pool, { sessions, at: now() });
    for (const listener of this.everyListener()) {
      if (ended.has(listener.caller.sessionId)) listener.end();
      else listener.look(now());
    }
    const users = [...this.listeners.keys()];
    if (users.length === 0) return;
    const since = this.place;
    if (since === null) this.place = await readStreamPlace(pool);
    else await this.tellNews(users, since);
    await this.tellMarks(users, since);
  }

  private async tellNews(users: readonly UserId[], since: StreamPlace): Promise<void> {
    const { pool } = this.dependencies.records;
    const { place, notifications, fills } = await readNews(pool, { since, users });
    this.place = place;
    for (const one of notifications) this.send(one.userId, 'notification', this.views.notification(one));
    for (const fill of fills) this.send(fill.userId, 'fill', showFill(fill));
    const at = this.dependencies.now();
    for (const seconds of pushSeconds(fills, at)) this.onPush(seconds);
    await tracePushes(this.dependencies, fills, at);
  }

  /** The state at the start of listening is not sent: the listener has just read it. */
  private async tellMarks(users: readonly UserId[], since: StreamPlace | null): Promise<void> {
    const { pool } = this.dependencies.records;
    const known = users.filter((user) => this.revisions.has(user));
    const fresh = users.filter((user) => !this.revisions.has(user));
    const changed = (await readRevisions(pool, { users: known, since })).filter((row) => this.note(row));
    for (const user of fresh) if (this.listeners.has(user)) this.revisions.set(user, new Map());
    for (const row of await readRevisions(pool, { users: fresh, since: null })) this.note(row);
    const tell = async ({ id, userId }: { id: string; userId: UserId }) => {
      const view = await this.views.deployment({ id, userId });
      if (view) this.send(userId, 'mark', view);
    };
    await Promise.all(changed.map(tell));
  }

  /** Whether it is another revision than the last one; false for who has stopped listening. */
  private note({ id, userId, revision }: { id: string; userId: UserId; revision: string }): boolean {
    const seen = this.revisions.get(userId);
    if (seen === undefined || seen.get(id) === revision) return false;
    seen.set(id, revision);
    return true;
  }

  private send(userId: UserId, event: 'notification' | 'fill' | 'mark', data: object): void {
    for (const listener of this.listeners.get(userId) ?? [])
      listener.send(event, data, this.dependencies.now());
  }

  private forget(listener: Listener): void {
    const own = this.listeners.get(listener.caller.userId);
    own?.delete(listener);
    if (own?.size !== 0) return;
    this.listeners.delete(listener.caller.userId);
    this.revisions.delete(listener.caller.userId);
  }

  private everyListener(): Listener[] {
    return [...this.listeners.values()].flatMap((own) => [...own]);
  }
}
