// What one tick did, for logs, tests and the heartbeat.
import type { OrderId } from '#units/identifiers.ts';

export type TickReport = {
  barsIngested: number;
  barsRefused: number;
  targetsWritten: number;
  deploymentsServed: number;
  ordersWritten: number;
  ordersSent: number;
  /** With an unfilled quantity. */
  ordersEnded: number;
  fillsBooked: number;
  externalFills: number;
  /** Adjustments of the books, suspense entries included. */
  adjustmentsBooked: number;
  deploymentsMarked: number;
  commandsApplied: number;
  /** Orders being cancelled that a look of this tick did not show as ended. */
  readonly stillWorking: Set<OrderId>;
  /** Failures left for the next tick; they delayed nothing else. */
  readonly problems: Problem[];
};

export type Problem = { readonly where: string; readonly reason: string };

export function emptyReport(): TickReport {
  return {
    barsIngested: 0,
    barsRefused: 0,
    targetsWritten: 0,
    deploymentsServed: 0,
    ordersWritten: 0,
    ordersSent: 0,
    ordersEnded: 0,
    fillsBooked: 0,
    externalFills: 0,
    adjustmentsBooked: 0,
    deploymentsMarked: 0,
    commandsApplied: 0,
    stillWorking: new Set(),
    problems: [],
  };
}

/** Whether anything happened that calls for another round. */
export function isIdle(report: TickReport): boolean {
  const { barsIngested, targetsWritten, ordersWritten, ordersSent, fillsBooked, commandsApplied } = report;
  const booked = fillsBooked + report.adjustmentsBooked;
  return barsIngested + targetsWritten + ordersWritten + ordersSent + booked + commandsApplied === 0;
}
