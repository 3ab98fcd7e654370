import type { PositionBreak, HeldExecution } from '#contract/operations/adjustments.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { Badge } from '../../kit/state/badge.tsx';
import { showDateTime, showPrice, showQuantity } from '../../kit/figure/show-figure.ts';
import { Closing } from './closing.tsx';
import { aboutDifference, DifferenceHead } from './difference-head.tsx';
import { Facts } from '../facts.tsx';
import { Wait } from '../wait.tsx';
import { WaitingList } from '../waiting-list.tsx';

/** Where a broker's books and ours say something else of the same account. */
export function DifferenceList({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="differences"
      title="Reconciliation breaks"
      note="The broker’s position does not match our books plus known external trades. We never trade to close a break."
      none="All reconciled accounts match our books."
      list={desk.differences}
    >
      {desk.differences.results.map((difference) => (
        <BreakRow key={difference.id} difference={difference} asOf={desk.as_of} />
      ))}
    </WaitingList>
  );
}

function BreakRow({ difference, asOf }: { difference: PositionBreak; asOf: string }) {
  const external = difference.external_quantity;
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <DifferenceHead
        difference={difference}
        badge={
          <Badge tone={difference.blocks_exits ? 'caution' : 'neutral'}>
            {difference.blocks_exits ? 'Exits on hold' : 'Nothing on hold'}
          </Badge>
        }
      />
      <Facts
        facts={[
          ['Our deployments', `${showQuantity(difference.our_quantity)} units`],
          ['External trades', `${showQuantity(external)} units`],
          ['Broker’s position', `${showQuantity(difference.broker_quantity)} units`],
          [
            'Difference',
            `${showQuantity(difference.broker_quantity - difference.our_quantity - external)} units`,
          ],
          ['For', <Wait key="wait" since={difference.since} until={asOf} />],
          ['Since', showDateTime(difference.since)],
        ]}
      />
      <Closing
        proposal={difference.proposal}
        occasion={{ difference: difference.id }}
        about={aboutDifference(difference)}
      />
    </li>
  );
}

/** Executions that a broker reported and the trader could not book. */
export function HeldExecutions({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="executions"
      title="Unmatched fills"
      note="The broker reported these fills and they are not booked yet. Most are booked once their order is confirmed; the others need a decision."
      none="Every reported fill is booked."
      list={desk.executions}
    >
      {desk.executions.results.map((execution) => (
        <ExecutionRow key={execution.id} execution={execution} asOf={desk.as_of} />
      ))}
    </WaitingList>
  );
}

function ExecutionRow({ execution, asOf }: { execution: HeldExecution; asOf: string }) {
  const { side, quantity, symbol } = execution;
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div>
        <h3 className="font-medium">
          {quantity === 0
            ? `Cancelled by the broker: ${side === 'buy' ? 'purchase' : 'sale'} of ${symbol}`
            : `${side === 'buy' ? 'Bought' : 'Sold'} ${showQuantity(quantity)} ${symbol} at ${showPrice(execution.price)}`}
        </h3>
        <p className="text-sm wrap-anywhere text-ink-faint">{execution.client}</p>
        <p className="mt-1 text-ink-soft">Held because {execution.held_because}.</p>
      </div>
      <Facts
        facts={[
          ['Held for', <Wait key="wait" since={execution.received_at} until={asOf} />],
          ['Executed (market time)', showDateTime(execution.executed_at)],
          ['Account', `${execution.account}, ${execution.broker_name}`],
          ['Broker’s order ID', execution.broker_order_id],
          ['Execution', <code key="id">{execution.id}</code>],
        ]}
      />
      <Closing
        proposal={execution.proposal}
        occasion={{ account: execution.account, execution: execution.id }}
        about={`the execution of ${symbol}`}
      />
    </li>
  );
}
