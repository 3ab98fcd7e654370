// A stand-in for Alpaca's market data over a market's prices, and for what its trading API says about instruments, days and
// time: written against the vendor's descriptions alone. Shares, coins, options, corporate actions, calendar, clock and the streams.
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createFaultPlan } from '../faults/fault-plan.ts';
import { openPriceStream, type PriceStream } from '../streams/price-stream.ts';
import { corporateActionRoutes } from './corporate-action-routes.ts';
import { cryptoRoutes } from './crypto-routes.ts';
import { optionRoutes } from './option-routes.ts';
import { referenceRoutes } from './reference-routes.ts';
import { answering, type Settings } from './settings.ts';
import { stockRoutes } from './stock-routes.ts';

export function mountAlpacaMarketData(app: FastifyInstance, settings: Settings): PriceStream {
  const get = answering(app, settings);
  const halts = settings.halts ?? new Map();
  stockRoutes(get, { ...settings, halts });
  cryptoRoutes(get, settings);
  optionRoutes(get, settings);
  corporateActionRoutes(get, settings);
  referenceRoutes(get, settings);
  const stream = openPriceStream({ ...settings, halts, faults: settings.faults ?? createFaultPlan() });
  stream.attach(app.server as Server);
  app.addHook('onClose', async () => stream.close());
  return stream;
}
