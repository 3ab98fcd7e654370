// Books what a broker charges for trades in coins: coins that it keeps, as commissions of the purchases, and money as those of
// the sales. An estimate was booked with each purchase; here is what it lacks of the broker's figure.
import { coinFeeShares, coinFeesOf } from '#engine/cash/coin-fees.ts';
import type { CashActivity } from '#engine/cash/cash-activity.ts';
import { newYorkDate } from '#engine/market/calendar-new-york-time.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import type { StatedEvent } from '#records/cash/cash-activities.ts';
import { insertCashMovement } from '#records/cash/cash-breaks.ts';
import {
  type BookedCoinTrade,
  coinFeeId,
  listCoinTrades,
  ownerCoinFees,
  sumCoinFeesBefore,
} from '#records/cash/coin-fees.ts';
import { ownerChanged } from '#records/cash/stated-changes.ts';
import { changeExternalCommission } from '#records/execution/commissions.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId, DeploymentId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { add, type Micro, micro, notional, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import { bookPositionEvent } from '../end-of-day/book-position-event.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import type { TradingContext } from '../trading-context.ts';
import { saveRevision } from './revise-commissions.ts';
import { suspend } from './suspense-account.ts';

type BearingTrade = Pick<BookedCoinTrade, 'executionId' | 'accountId' | 'price' | 'parts'>;

export function expectsCoinFee({ symbol, commission, expectedFee }: BrokerExecution): boolean {
  return symbol !== null && commission === null && (expectedFee?.units ?? ZERO_QUANTITY) !== 0;
}

/** With its purchase: the coins that the broker is expected to keep. The commission of the fill pays for them. */
export async function bookExpectedCoinFee(
  trx: Transaction,
  context: TradingContext,
  deploymentId: DeploymentId,
  { accountId, execution }: { readonly accountId: BrokerAccountId; readonly execution: BrokerExecution },
): Promise<void> {
  const { symbol, executionId, price, at, expectedFee } = execution;
  if (!expectsCoinFee(execution)) return;
  const place = { symbol: symbol!, sessionDate: newYorkDate(at) };
  await takeCoins(trx, context, {
    deploymentId,
    trade: { executionId, accountId, price, parts: 0 },
    place,
    coins: expectedFee!.units!,
  });
}

/** The caller holds the lock of the account's cash. */
export async function bookCoinFees(
  trx: Transaction,
  context: TradingContext,
  accountId: BrokerAccountId,
  { event, stated }: { readonly event: StatedEvent; readonly stated: readonly CashActivity[] },
): Promise<void> {
  const day = { symbol: event.symbol, date: event.sessionDate };
  const fees = coinFeesOf(stated, await sumCoinFeesBefore(trx, accountId, day));
  const trades = await listCoinTrades(trx, accountId, day);
  let coins: number = fees.coins ?? 0;
  let money = fees.money ?? ZERO_MICRO;
  for (const [place, share] of coinFeeShares(fees, trades).entries()) {
    const trade = trades[place]!;
    if (share.coins === null && share.money === null) continue;
    if (share.money !== null) money = subtract(money, share.money);
    if (trade.deploymentId === null) {
      const commission = share.money ?? ZERO_MICRO;
      if (trade.commission !== commission)
        await changeExternalCommission(trx, accountId, { executionId: trade.executionId, commission });
      continue;
    }
    const own = { ...trade, deploymentId: trade.deploymentId, commission: trade.commission ?? ZERO_MICRO };
    if (share.coins !== null)
      coins -= await bookCoins(trx, context, { trade: own, event, share: share.coins });
    if (share.money !== null) await confirm(trx, context, own, share.money);
  }
  if (fees.coins !== null) await bookOwnersCoins(trx, context, accountId, { ...day, coins });
  if (fees.money !== null) await bookOwnersMoney(trx, context, accountId, { event, money });
}

type OwnTrade = BookedCoinTrade & { readonly deploymentId: DeploymentId; readonly commission: Micro };

/** What its books have given up afterwards: coins that it does not hold any more are not taken, nor do any come back. */
async function bookCoins(
  trx: Transaction,
  context: TradingContext,
  {
    trade,
    event,
    share,
  }: { readonly trade: OwnTrade; readonly event: StatedEvent; readonly share: Quantity },
): Promise<Quantity> {
  const { deploymentId, price, coins: booked } = trade;
  const missing = quantity(share - booked);
  const taken =
    missing !== 0 && (await takeCoins(trx, context, { deploymentId, trade, place: event, coins: missing }));
  await confirm(
    trx,
    context,
    trade,
    taken ? add(trade.commission, notional(missing, price)) : trade.commission,
  );
  return taken ? share : booked;
}

async function takeCoins(
  trx: Transaction,
  context: TradingContext,
  {
    deploymentId,
    trade: { accountId, executionId, price, parts },
    place: { symbol, sessionDate },
    coins,
  }: {
    readonly deploymentId: DeploymentId;
    readonly trade: BearingTrade;
    readonly place: Pick<StatedEvent, 'symbol' | 'sessionDate'>;
    readonly coins: Quantity;
  },
): Promise<boolean> {
  const fill = `${accountId}:${executionId}`;
  const result = await bookPositionEvent(trx, context, deploymentId, {
    event: { type: 'coin_fee', symbol, units: coins, price, fill },
    entitled: quantity(-coins),
    sessionDate,
    execution: `${fill}:${parts + 1}`,
  });
  return result === 'booked';
}

/** The broker's figure, which is an estimate no more. */
async function confirm(
  trx: Transaction,
  context: TradingContext,
  booked: OwnTrade,
  commission: Micro,
): Promise<void> {
  if (!booked.isProvisional && commission === booked.commission) return;
  const snapshot = await loadSnapshot(trx, booked.deploymentId, context);
  await saveRevision(trx, context, { snapshot, booked, commission });
}

/** What no deployment bears. */
async function bookOwnersCoins(
  trx: Transaction,
  { now: at }: TradingContext,
  accountId: BrokerAccountId,
  {
    coins,
    ...day
  }: { readonly symbol: Symbol; readonly date: StatedEvent['sessionDate']; readonly coins: number },
): Promise<void> {
  const booked = await ownerCoinFees(trx, accountId, day);
  const missing = coins - booked.coins;
  if (missing === 0) return;
  await suspend(trx, {
    kind: 'coin_fee',
    executionId: `${coinFeeId(day)}${booked.parts + 1}` as ExecutionId,
    accountId,
    symbol: day.symbol,
    side: missing > 0 ? 'sell' : 'buy',
    quantity: quantity(Math.abs(missing)),
    price: 0,
    at,
  });
}

/** Where nothing was sold that day. */
async function bookOwnersMoney(
  trx: Transaction,
  { now: at }: TradingContext,
  accountId: BrokerAccountId,
  { event, money }: { readonly event: StatedEvent; readonly money: Micro },
): Promise<void> {
  const amount = subtract(micro(-money), await ownerChanged(trx, accountId, event));
  if (amount === 0) return;
  const reference = `stated:${event.kind}:${event.symbol}:${event.sessionDate}:${at}`;
  await insertCashMovement(trx, accountId, { line: 'fees', amount, reference, at });
}
