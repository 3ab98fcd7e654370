// A vendor's websocket while there are listeners: connected, dropped when it goes silent, and reconnected after growing
// pauses.
import { WebSocket } from 'ws';

export type StreamSocket = {
  /** Connects and stays connected until stopped. */
  start(): void;
  /** Ends the connection; another follows after a pause. */
  drop(): void;
  /** Does nothing while it is not connected. */
  send(text: string): void;
  /** The vendor accepted the connection: resets the pause. */
  succeeded(): void;
  stop(): void;
};

type SocketAddress = { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

type SocketHandlers = {
  /** The address to connect to; null when it is not known now. */
  readonly address: () => Promise<SocketAddress | null>;
  /** Dropped when nothing was heard for so long. */
  readonly silenceMs: number;
  /** Asks the other side for a sign of life, where it sends none by itself. */
  readonly pings?: boolean;
  /** It keeps no process alive. */
  readonly isDetached?: boolean;
  readonly onOpen?: () => void;
  readonly onText: (text: string) => void;
  readonly onGone: () => void;
  /** Called once a second with the number of seconds that have passed. */
  readonly onSecond: (second: number) => void;
};

export function createStreamSocket(handlers: SocketHandlers): StreamSocket {
  const { address, silenceMs, pings = false, isDetached = false, ...on } = handlers;
  const { onOpen, onText, onGone, onSecond } = on;
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | null = null;
  let heardAt = 0;
  let isConnecting = false;
  const retry = createRetryClock();

  const drop = () => {
    socket?.terminate();
    socket = null;
    onGone();
  };
  const open = (found: SocketAddress) => {
    const opened = openSocket(found, {
      isDetached,
      onOpen: () => onOpen?.(),
      onText(text) {
        // What a dropped connection still delivers belongs to no state any more.
        if (socket === opened) onText(text);
      },
      onSign: () => {
        heardAt = Date.now();
      },
      onClose() {
        if (socket === opened) {
          socket = null;
          onGone();
        }
        retry.failed();
      },
    });
    socket = opened;
    heardAt = Date.now();
  };
  const connect = () => {
    if (socket || isConnecting) return;
    isConnecting = true;
    void address()
      .then((found) => {
        // It may have been stopped meanwhile.
        if (found !== null && timer !== null) open(found);
      })
      .finally(() => {
        isConnecting = false;
      });
  };
  const watch = () => {
    const second = retry.tick();
    if (socket && Date.now() - heardAt > silenceMs) drop();
    if (pings && second % PING_S === 0 && socket?.readyState === WebSocket.OPEN) socket.ping();
    onSecond(second);
    if (retry.isDue()) connect();
  };

  return {
    start() {
      timer ??= setInterval(watch, 1_000).unref();
      connect();
    },
    drop,
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    },
    succeeded: retry.succeeded,
    stop() {
      if (timer) clearInterval(timer);
      timer = null;
      drop();
    },
  };
}

type SocketEvents = {
  readonly isDetached: boolean;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  /** Anything was heard. */
  readonly onSign: () => void;
  readonly onClose: () => void;
};

function openSocket(
  { url, headers }: SocketAddress,
  { isDetached, onOpen, onText, onSign, onClose }: SocketEvents,
): WebSocket {
  const opened = new WebSocket(url, {
    headers: { 'user-agent': 'bellwether', ...headers },
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: FRAME_MAX,
  });
  if (isDetached) opened.on('upgrade', ({ socket }) => void socket.unref());
  opened.on('open', onOpen);
  opened.on('message', (data) => {
    onSign();
    onText(data.toString());
  });
  opened.on('pong', onSign);
  opened.on('error', () => opened.terminate());
  opened.on('close', onClose);
  return opened;
}

/** Counts seconds; an attempt is due after a pause that doubles with each failure, up to a minute. */
function createRetryClock() {
  let second = 0;
  let failures = 0;
  return {
    tick: () => ++second,
    isDue: () => second % Math.min(PAUSE_MAX_S, 2 ** Math.min(failures, 6)) === 0,
    failed() {
      failures += 1;
    },
    succeeded() {
      failures = 0;
    },
  };
}

const HANDSHAKE_MS = 10_000;
const FRAME_MAX = 4_194_304;
const PING_S = 10;
const PAUSE_MAX_S = 60;
