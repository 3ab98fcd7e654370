// The market over HTTP: what the product may know of it. Closed bars only, quotes of now only.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { parseOption } from '#engine/market/option-contract.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, instantOfDate, isoText, parseInstant } from '#units/instant.ts';
import type { Market } from './open-market.ts';

/** Mounts /market/*. */
export function marketFeed(market: Market): (server: FastifyInstance) => Promise<void> {
  const { clock, prices } = market;
  const fixed = new Set<string>(prices.instruments.map(({ symbol }) => symbol));
  const known = {
    has: (symbol: string) => fixed.has(symbol) || fixed.has(parseOption(symbol as Symbol)?.underlying ?? ''),
  };

  return async (server) => {
    server.get('/market/clock', () => clockOf(market));

    server.post('/market/clock/advance', (request, reply) => {
      if (!LOOPBACK.test(request.ip)) {
        return refuse(reply, 403, 'forbidden', 'the clock is moved from this machine only');
      }
      const asked = ADVANCE.safeParse(request.body);
      if (!asked.success) return refuse(reply, 400, 'malformed', z.prettifyError(asked.error));
      const { to, pause, resume } = asked.data;
      if (pause === true) clock.pause();
      if (to !== undefined && clock.advanceTo(to) === 'already_past') {
        return refuse(
          reply,
          409,
          'already_past',
          `it is already ${isoText(clock.now())}: the clock never goes back`,
        );
      }
      if (resume === true) clock.resume();
      return clockOf(market);
    });

    server.get('/market/instruments', () => ({
      results: prices.listedAt?.(clock.now()) ?? prices.instruments,
    }));

    server.get('/market/actions', () => ({ results: prices.actions?.(clock.now()) ?? [] }));

    server.get('/market/bars', (request, reply) => {
      const asked = BARS.safeParse(request.query);
      if (!asked.success) return refuse(reply, 400, 'malformed', z.prettifyError(asked.error));
      const { symbol, from, to } = asked.data;
      if (!known.has(symbol))
        return refuse(reply, 404, 'unknown_symbol', `no instrument is called ${symbol}`);
      return { results: prices.dailyBars(symbol as Symbol, { from, to, asOf: clock.now() }) };
    });

    server.get('/market/quotes', (request, reply) => {
      const asked = QUOTES.safeParse(request.query);
      if (!asked.success) return refuse(reply, 400, 'malformed', z.prettifyError(asked.error));
      const strange = asked.data.symbols.find((symbol) => !known.has(symbol));
      if (strange !== undefined)
        return refuse(reply, 404, 'unknown_symbol', `no instrument is called ${strange}`);
      const at = clock.now();
      return { results: asked.data.symbols.flatMap((symbol) => prices.quote(symbol as Symbol, at) ?? []) };
    });
  };
}

function clockOf({ clock, mode, endsAt }: Market) {
  const now = clock.now();
  return {
    now: isoText(now),
    daySeconds: clock.daySeconds,
    mode,
    paused: clock.paused,
    endsAt: endsAt && isoText(endsAt),
    ended: endsAt !== null && now >= endsAt,
  };
}

function refuse(reply: FastifyReply, status: number, code: string, message: string) {
  return reply.code(status).send({ code, message });
}

/** Moving time moves the market of all users: only seeding and tests on this machine may do so. */
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

const instantText = z.string().transform((text, context): Instant => {
  try {
    return parseInstant(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 instant such as 2026-01-05T14:30:00Z' });
    return z.NEVER;
  }
});

const dateText = z.string().transform((text, context): IsoDate => {
  try {
    instantOfDate(text);
    return text as IsoDate;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a day as YYYY-MM-DD' });
    return z.NEVER;
  }
});

const ADVANCE = z.object({
  to: instantText.optional(),
  pause: z.boolean().optional(),
  resume: z.boolean().optional(),
});
const BARS = z.object({ symbol: z.string().min(1), from: dateText, to: dateText });
const QUOTES = z.object({
  symbols: z
    .string()
    .min(1)
    .transform((text) => text.split(',')),
});
