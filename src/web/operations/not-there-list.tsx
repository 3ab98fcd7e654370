import type { BookDifference } from '#contract/corrections.ts';
import type { OperationsDesk } from '#contract/operations.ts';
import { Badge } from '../kit/badge.tsx';
import { showDateTime, showPrice, showQuantity } from '../kit/show-figure.ts';
import { Closing } from './closing.tsx';
import { aboutDifference, DifferenceHead } from './difference-head.tsx';
import { Facts } from './facts.tsx';
import { Wait } from './wait.tsx';
import { WaitingList } from './waiting-list.tsx';

/** Units of our books that an owner traded by hand, and what an account is short of since its broker took it back. */
export function NotThereList({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="not-there"
      title="Not there any more"
      note="Our books and the known trades of others come to what the broker says, and yet units are missing: their owner traded them by hand, or the broker took back what was sold already."
      none="Every unit that a deployment holds is there."
      list={desk.not_there}
    >
      {desk.not_there.results.map((one) => (
        <NotThereRow key={one.id} difference={one} asOf={desk.as_of} />
      ))}
    </WaitingList>
  );
}

function NotThereRow({ difference, asOf }: { difference: BookDifference; asOf: string }) {
  const { kind, quantity, price, traded_at: tradedAt } = difference;
  const units = `${showQuantity(Math.abs(quantity))} units`;
  const isByHand = kind === 'by_hand';
  const name = isByHand
    ? quantity < 0
      ? 'Sold by its owner'
      : 'Bought back by its owner'
    : 'Taken back by its broker';
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <DifferenceHead
        difference={difference}
        badge={<Badge tone={isByHand ? 'caution' : 'neutral'}>{name}</Badge>}
      />
      <Facts
        facts={[
          isByHand
            ? [quantity < 0 ? 'Sold of what we hold' : 'Bought of what we are short of', units]
            : ['The account is short of', units],
          ...(isByHand
            ? [
                ['At, on average', showPrice(price)] as const,
                ['Last traded, market time', showDateTime(tradedAt)] as const,
              ]
            : []),
          ['Our deployments hold', `${showQuantity(difference.our_quantity)} units`],
          ['Traded there by others', `${showQuantity(difference.external_quantity)} units`],
          ['The broker says', `${showQuantity(difference.broker_quantity)} units`],
          ['For', <Wait key="wait" since={difference.since} until={asOf} />],
          ['Since', showDateTime(difference.since)],
        ]}
      />
      {isByHand && (
        <Closing
          proposal={difference.proposal}
          occasion={{ difference: difference.id }}
          about={aboutDifference(difference)}
        />
      )}
    </li>
  );
}
