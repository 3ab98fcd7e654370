// The vendor's websocket while there are listeners: connected, dropped when it goes silent, and reconnected after
// growing pauses.
import { WebSocket } from 'ws';

type StreamSocket = {
  /** Connects and stays connected until stopped. */
  start(): void;
  /** Does nothing while it is not connected. */
  send(text: string): void;
  /** The vendor accepted the connection: resets the pause. */
  succeeded(): void;
  stop(): void;
};

type SocketHandlers = {
  /** The address to connect to; null when it is not known now. */
  readonly address: () => Promise<{ readonly url: string; readonly cookie: string } | null>;
  readonly onText: (text: string) => void;
  readonly onGone: () => void;
  /** Called once a second with the number of seconds that have passed. */
  readonly onSecond: (second: number) => void;
};

export function createStreamSocket({ address, onText, onGone, onSecond }: SocketHandlers): StreamSocket {
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
  const open = ({ url, cookie }: { readonly url: string; readonly cookie: string }) => {
    const opened = new WebSocket(url, {
      headers: { 'user-agent': 'bellwether', cookie },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: FRAME_MAX,
    });
    socket = opened;
    heardAt = Date.now();
    opened.on('message', (data) => {
      heardAt = Date.now();
      onText(data.toString());
    });
    opened.on('error', () => opened.terminate());
    opened.on('close', () => {
      if (socket === opened) {
        socket = null;
        onGone();
      }
      retry.failed();
    });
  };
  const connect = () => {
    if (socket || isConnecting) return;
    isConnecting = true;
    void address()
      .then((found) => {
        if (found !== null) open(found);
      })
      .finally(() => {
        isConnecting = false;
      });
  };
  const watch = () => {
    const second = retry.tick();
    if (socket && Date.now() - heardAt > SILENCE_MS) drop();
    onSecond(second);
    if (retry.isDue()) connect();
  };

  return {
    start() {
      timer ??= setInterval(watch, 1_000).unref();
      connect();
    },
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
/** The vendor sends a heartbeat every ten seconds. */
const SILENCE_MS = 35_000;
const PAUSE_MAX_S = 60;
