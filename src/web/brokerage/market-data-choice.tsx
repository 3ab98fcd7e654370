import { useMutation } from '@tanstack/react-query';
import type { BrokerConnection } from '#contract/brokerage.ts';
import { call } from '../call/call.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Checkbox } from '../kit/control/checkbox.tsx';

/** The owner's choice about a question that the broker asks before it takes an order. */
export function MarketDataChoice({
  connection: { id, broker_name: broker, trades_without_market_data: isAllowed },
  onChanged,
}: {
  connection: BrokerConnection;
  onChanged: () => void;
}) {
  const choose = useMutation({
    mutationFn: (isWanted: boolean) =>
      call('changeBrokerConnection', { params: { id }, body: { trades_without_market_data: isWanted } }),
    onSuccess: onChanged,
  });
  if (isAllowed === null) return null;
  return (
    <div className="max-w-prose">
      <Checkbox
        label={`Trade without a market data subscription at ${broker}`}
        hint={`${broker} asks about this before it takes an order. Unless you allow it, we decline and the order is refused. Our prices do not come from ${broker}.`}
        checked={choose.isPending ? choose.variables : isAllowed}
        disabled={choose.isPending}
        onChange={(event) => choose.mutate(event.target.checked)}
      />
      {choose.isError && (
        <p role="alert" className="mt-1 text-sm text-loss">
          {sentenceOf(choose.error, 'The setting was not changed. Please try again.')}
        </p>
      )}
    </div>
  );
}
