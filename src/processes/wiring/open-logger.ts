import { type DestinationStream, type Logger, multistream, pino } from 'pino';
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
  const collector: DestinationStream = openLogCollector(logCollector);
  const level = logLevel as 'warn';
  return pino(
    options,
    multistream([
      { level, stream: pino.destination(1) },
      { level, stream: collector },
    ]),
  );
}
