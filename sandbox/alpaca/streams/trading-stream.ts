// The stream of order events at the stand-in for Alpaca, under /stream: authenticate, listen, then trade_updates in binary
// frames, as the vendor's paper host sends them. Its execution ids are its own: nothing published ties them to the ids of the
// account activities.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Instant, isoText } from '#units/instant.ts';
import { quantity, quantityText } from '#units/quantity.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Books } from '../orders/books.ts';
import type { Account, OrderEvent } from '../orders/order.ts';
import { orderRow } from '../orders/order-rows.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { readMessage } from './read-message.ts';
import { sendFrames } from './send-frames.ts';

export type TradingStream = {
  attach(server: Server): void;
  /** Ends every connection; new ones are taken. */
  drop(): void;
  readonly connections: number;
  close(): void;
};

type Line = { account: Account | null; isListening: boolean; readonly tell: (event: OrderEvent) => void };

export function openTradingStream(tools: {
  readonly books: Books;
  readonly signIn: SignIn;
  readonly faults: FaultPlan;
  readonly now: () => Instant;
}): TradingStream {
  const { books, signIn, faults, now } = tools;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536 });
  const lines = new Set<Line>();
  const stopListening = books.listen((event) => {
    for (const line of lines) if (line.account === event.order.account && line.isListening) line.tell(event);
  });
  const timer = setInterval(() => {
    if (lines.size > 0) books.settle(now());
  }, PUMP_MS).unref();

  const open = (socket: WebSocket) => {
    const send = (message: object) => socket.send(Buffer.from(JSON.stringify(message)));
    const put = sendFrames(socket, faults, { occasion: 'trade_frame', isBinary: true });
    const line: Line = { account: null, isListening: false, tell: (event) => put(frameOf(event)) };
    lines.add(line);
    socket.on('message', (data) => {
      const { action, data: said } = readMessage(data);
      const fields = (said ?? {}) as Record<string, unknown>;
      if (action === 'authenticate') line.account = signIn.findAccount(fields);
      if (action === 'authenticate' || line.account === null) {
        const status = line.account === null ? 'unauthorized' : 'authorized';
        return send({ stream: 'authorization', data: { status, action } });
      }
      const streams = Array.isArray(fields.streams)
        ? fields.streams.filter((one) => one === 'trade_updates')
        : [];
      line.isListening = streams.length > 0;
      return send({ stream: 'listening', data: { streams } });
    });
    socket.on('close', () => lines.delete(line));
    socket.on('error', () => socket.terminate());
  };

  return {
    attach(server) {
      server.on('upgrade', (request, socket, head) => {
        if (new URL(request.url ?? '/', 'http://stream').pathname !== '/stream') return;
        sockets.handleUpgrade(request, socket, head, open);
      });
    },
    drop() {
      for (const socket of sockets.clients) socket.terminate();
    },
    get connections() {
      return sockets.clients.size;
    },
    close() {
      clearInterval(timer);
      stopListening();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

function frameOf({ event, order, fill, at }: OrderEvent) {
  const { account, instrument } = order;
  return {
    stream: 'trade_updates',
    data: {
      event,
      ...(fill !== null && {
        execution_id: randomUUID(),
        price: String(fill.price),
        qty: quantityText(fill.quantity),
        position_qty: quantityText(account.held.get(instrument.symbol) ?? quantity(0)),
      }),
      timestamp: isoText(at),
      order: orderRow(order),
    },
  };
}

const PUMP_MS = 50;
