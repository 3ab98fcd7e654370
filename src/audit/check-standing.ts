// A deployment as it stands: cash, result, positions, equity and high-water mark.
import type { Snapshot } from './fold-bookings.ts';
import { type Books, type Finding, type Market, signedFlow } from './rows.ts';
import { isSame, isSameUnits, worthOf } from './trade.ts';

export function checkStanding(
  { deployment, positions, bills, flows }: Books,
  now: Snapshot,
  market: Market,
): Finding[] {
  const findings: Finding[] = [];
  const same = (kind: Finding['kind'], row: string, figure: string, stored: number, recomputed: number) => {
    if (!isSame(stored, recomputed)) findings.push({ kind, row, figure, stored, recomputed });
  };
  let worth = 0;
  for (const symbol of new Set([...positions.map((one) => one.symbol), ...now.held.keys()])) {
    const row = `${symbol} of deployment ${deployment.id}`;
    const stored = positions.find((one) => one.symbol === symbol);
    const held = now.held.get(symbol);
    if (!isSameUnits(stored?.quantity ?? 0, held?.units ?? 0))
      findings.push({
        kind: 'position',
        row,
        figure: 'units',
        stored: stored?.quantity ?? null,
        recomputed: held?.units ?? null,
      });
    if (stored === undefined || held === undefined) continue;
    const instrument = market.instruments.get(symbol)!;
    const value = worthOf(instrument, held, stored.markPrice);
    const open = instrument.settlement === 'cash' ? value - held.cost : value;
    same('position', row, 'cost', stored.cost, held.cost);
    same('position', row, 'current value', stored.currentValue, value);
    same('position', row, 'open profit', stored.unrealized, open);
    worth += value;
  }
  const row = `deployment ${deployment.id}`;
  same('deployment', row, 'investment', deployment.investment, now.capital);
  same('deployment', row, 'cash', deployment.cash, now.cash);
  same('deployment', row, 'realised profit', deployment.realized, now.realized);
  same('deployment', row, 'equity', deployment.equity, now.cash + worth);
  const first = deployment.investment - flows.reduce((sum, flow) => sum + signedFlow(flow), 0);
  // Kept in millionths of a dollar: what each flow rounds off weighs more, the less is left.
  const base = flows.reduce(
    (sum, flow) => Math.round((sum * 1e6 * (flow.valueBefore + signedFlow(flow))) / flow.valueBefore) / 1e6,
    first,
  );
  same('deployment', row, 'base of the return', deployment.returnBase, base);
  const mark = bills.at(-1)?.highWaterAfter ?? first;
  same('deployment', row, 'high-water mark', deployment.highWaterMark, mark);
  return findings;
}
