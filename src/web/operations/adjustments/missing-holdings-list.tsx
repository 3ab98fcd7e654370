import type { PositionBreak } from '#contract/operations/adjustments.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { Badge } from '../../kit/state/badge.tsx';
import { showDateTime, showPrice, showQuantity } from '../../kit/figure/show-figure.ts';
import { Closing } from './closing.tsx';
import { aboutDifference, DifferenceHead } from './difference-head.tsx';
import { Facts } from '../facts.tsx';
import { Wait } from '../wait.tsx';
import { WaitingList } from '../waiting-list.tsx';

/** Units of our books that an owner traded externally, and what an account is short of since its broker took it back. */
export function MissingHoldingsList({ desk }: { desk: OperationsDesk }) {
  return (
    <WaitingList
      id="missing-holdings"
      title="Missing holdings"
      note="Totals match, but units that our deployments hold are missing: the owner traded them manually, or the broker cancelled a purchase that we had already sold."
      none="All holdings are in place."
      list={desk.missing_holdings}
    >
      {desk.missing_holdings.results.map((one) => (
        <MissingHoldingRow key={one.id} difference={one} asOf={desk.as_of} />
      ))}
    </WaitingList>
  );
}

function MissingHoldingRow({ difference, asOf }: { difference: PositionBreak; asOf: string }) {
  const { kind, quantity, price, traded_at: tradedAt } = difference;
  const units = `${showQuantity(Math.abs(quantity))} units`;
  const isOfExternalTrade = kind === 'external_trade';
  const name = isOfExternalTrade
    ? quantity < 0
      ? 'Sold by the owner'
      : 'Bought back by the owner'
    : 'Cancelled by the broker';
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <DifferenceHead
        difference={difference}
        badge={<Badge tone={isOfExternalTrade ? 'caution' : 'neutral'}>{name}</Badge>}
      />
      <Facts
        facts={[
          isOfExternalTrade
            ? [quantity < 0 ? 'Sold from our holdings' : 'Bought against our short', units]
            : ['Account shortfall', units],
          ...(isOfExternalTrade
            ? [
                ['Average price', showPrice(price)] as const,
                ['Last traded (market time)', showDateTime(tradedAt)] as const,
              ]
            : []),
          ['Our deployments', `${showQuantity(difference.our_quantity)} units`],
          ['External trades', `${showQuantity(difference.external_quantity)} units`],
          ['Broker’s position', `${showQuantity(difference.broker_quantity)} units`],
          ['For', <Wait key="wait" since={difference.since} until={asOf} />],
          ['Since', showDateTime(difference.since)],
        ]}
      />
      {isOfExternalTrade && (
        <Closing
          proposal={difference.proposal}
          occasion={{ difference: difference.id }}
          about={aboutDifference(difference)}
        />
      )}
    </li>
  );
}
