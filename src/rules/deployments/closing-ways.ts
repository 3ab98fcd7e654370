// The ways to close a deployment or let it rest, each in words: what it does, when, and what it costs.

export type WayOfClosing = 'pause' | 'stop' | 'liquidate';

export type ClosingWay = {
  readonly way: WayOfClosing;
  readonly name: string;
  readonly what: string;
  readonly when: string;
  readonly cost: string;
  /** On the button that does it, before and while it is done. */
  readonly action: string;
  readonly doing: string;
};

/** From the gentlest to the last. Practice money needs nobody's approval, and who has asked already need not ask again. */
export function closingWays({
  isPractice,
  positions,
  isAsked,
}: {
  readonly isPractice: boolean;
  readonly positions: number;
  readonly isAsked: boolean;
}): readonly ClosingWay[] {
  const held = positions === 1 ? 'its position' : `its ${positions} positions`;
  const sells =
    positions === 0
      ? 'Nothing is held, so nothing is sold. It closes for good'
      : `Sells ${held}, then closes for good`;
  const selling = positions === 0 ? 'None.' : 'The commission of each sale, and the price of that moment.';
  const fee = isPractice ? '' : ' The performance fee on new profit falls due.';
  const money = isPractice ? 'It is practice money.' : 'The money stays in your brokerage account.';
  return [
    {
      way: 'pause',
      name: 'Pause',
      what: 'Buys and sells nothing: our own stop loss rests too. What it holds stays, and can still gain or lose. A stop order that is already at the broker stays there.',
      when: 'At once, and until you resume. Other orders at the broker are cancelled.',
      cost: 'None.',
      action: 'Pause Trading',
      doing: 'Pausing...',
    },
    {
      way: 'stop',
      name: 'Stop',
      what: `${sells}, without anyone’s approval. ${money} You can deploy the strategy again.`,
      when: 'At the next open of each market; at once where one is open. It cannot be undone.',
      cost: `${selling}${fee}`,
      action: positions === 0 ? 'Stop' : 'Sell and stop',
      doing: 'Stopping...',
    },
    ...(isPractice || isAsked
      ? []
      : [
          {
            way: 'liquidate',
            name: 'Liquidate',
            what: `Asks support. Once it approves: ${sells.charAt(0).toLowerCase()}${sells.slice(1)}. If it declines, you read why and trading goes on.`,
            when: 'Support decides within a working day. Until then trading goes on, and you can withdraw the request.',
            cost: `${selling}${fee}`,
            action: 'Request liquidation',
            doing: 'Requesting...',
          } as const,
        ]),
  ];
}
