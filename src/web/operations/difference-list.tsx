import type { BookDifference, HeldExecution } from '#contract/corrections.ts';
import type { OperationsDesk } from '#contract/operations.ts';
import { Badge } from '../kit/badge.tsx';
import { showDateTime, showPrice, showQuantity } from '../kit/show-figure.ts';
import { Closing } from './closing.tsx';
import { aboutDifference, DifferenceHead } from './difference-head.tsx';
import { Facts } from './facts.tsx';
import { Wait } from './wait.tsx';
import { WaitingList } from './waiting-list.tsx';

/** Where a broker's books and ours say something else of the same account. */
export function DifferenceList({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="differences"
      title="Books that differ"
      note="What the broker says that an account holds is not what our books and its known trades come to. Nothing is ever traded to level it."
      none="Every account that was compared holds what our books say."
      list={desk.differences}
    >
      {desk.differences.results.map((difference) => (
        <DifferenceRow key={difference.id} difference={difference} asOf={desk.as_of} />
      ))}
    </WaitingList>
  );
}

function DifferenceRow({ difference, asOf }: { difference: BookDifference; asOf: string }) {
  const external = difference.external_quantity;
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <DifferenceHead
        difference={difference}
        badge={
          <Badge tone={difference.blocks_exits ? 'caution' : 'neutral'}>
            {difference.blocks_exits ? 'Exits wait' : 'Nothing waits'}
          </Badge>
        }
      />
      <Facts
        facts={[
          ['Our deployments hold', `${showQuantity(difference.our_quantity)} units`],
          ['Traded there by others', `${showQuantity(external)} units`],
          ['The broker says', `${showQuantity(difference.broker_quantity)} units`],
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

/** What a broker told and nobody could book. */
export function HeldExecutions({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="executions"
      title="Executions that are held"
      note="A broker told them, and they are booked nowhere yet. Most are booked once the order that they may be of is known; others need a person."
      none="Every execution that a broker told is booked."
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
            ? `Taken back: ${side === 'buy' ? 'a purchase' : 'a sale'} of ${symbol}`
            : `${side === 'buy' ? 'Bought' : 'Sold'} ${showQuantity(quantity)} ${symbol} at ${showPrice(execution.price)}`}
        </h3>
        <p className="text-sm wrap-anywhere text-ink-faint">{execution.client}</p>
        <p className="mt-1 text-ink-soft">Held because {execution.held_because}.</p>
      </div>
      <Facts
        facts={[
          ['Held for', <Wait key="wait" since={execution.received_at} until={asOf} />],
          ['Executed, market time', showDateTime(execution.executed_at)],
          ['Account', `${execution.account}, ${execution.broker_name}`],
          ['Broker’s order', execution.broker_order_id],
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
