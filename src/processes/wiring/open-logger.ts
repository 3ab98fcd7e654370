import { type Level, type Logger, multistream, pino } from 'pino';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import type { Environment } from '../environment/environment.ts';
import { openLogCollector } from './log-collector.ts';

/** Writes to standard output, and to the operator's collector where there is one. One a process. */
export function openLogger({
  logLevel,
  logCollector,
}: Pick<Environment, 'logLevel' | 'logCollector'>): Logger {
  const options = { ...LOG_OPTIONS, level: logLevel };
  if (logCollector === null) return pino(options);
  const streams = [pino.destination(1), openLogCollector(logCollector)];
  return pino(options, multistream(streams.map((stream) => ({ level: logLevel as Level, stream }))));
}
