// What moved the account's cash besides fills: the vendor's non-trade activities.
import type { CashActivity, CashActivityKind } from '#engine/cash/cash-activity.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import type { IsoDate } from '#units/instant.ts';
import { type Billionths, parseBillionths } from '#units/billionths.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import { asNumber, asText, type Fields, numberOf, textOf, Unreadable } from '../answer-fields.ts';
import { type AskActivities, listActivities } from './activities.ts';
import type { Known } from './parse-answers.ts';

export async function listCashActivities(
  ask: AskActivities,
  known: Known,
  since: IsoDate,
): Promise<BrokerAnswer<readonly CashActivity[]>> {
  const parse = (row: Fields) => parseActivity(row, known);
  return listActivities(ask, { types: Object.keys(KINDS), since, name: 'the activity list', parse });
}

/** Null for what moves no cash and takes no coins: a split, another name. */
function parseActivity(row: Fields, known: Known): CashActivity | null {
  const amount = toMicro(numberOf(row, 'net_amount'));
  const type = textOf(row, 'activity_type');
  const fee = isOfCoins(row, type) ? coinFeeOf(row, { amount, known }) : null;
  if (fee !== null) return fee;
  if (amount === 0) return null;
  const kind = KINDS[type];
  if (kind === undefined) throw new Unreadable(`an activity of the type ${type}`);
  const name = asText(row.symbol);
  const isOfTrades = kind === 'fee' && TRADING_FEES.test(aboutOf(row));
  const units = asNumber(row.qty);
  return {
    activityId: textOf(row, 'id'),
    kind: isOfTrades ? 'trading_fee' : kind === 'journal' ? (amount > 0 ? 'deposit' : 'withdrawal') : kind,
    symbol: name === null ? null : known(name),
    amount,
    units: units === null || units === 0 ? null : quantity(Math.abs(toQuantity(units))),
    date: (isOfTrades ? tradedOn(row) : null) ?? dateOf(row),
    ...(isOfTrades && { chargedBy: UNIT_FEES.test(aboutOf(row)) ? ('units' as const) : ('worth' as const) }),
  };
}

function isOfCoins(row: Fields, type: string): boolean {
  return type === 'CFEE' || (type === 'FEE' && COIN_FEES.test(aboutOf(row)));
}

/** Of a purchase in coins, of a sale in dollars. Null where it names no coin that we know. */
function coinFeeOf(
  row: Fields,
  { amount, known }: { readonly amount: Micro; readonly known: Known },
): CashActivity | null {
  const symbol = known(asText(row.symbol) ?? '');
  // The quantity is negative for what was taken; beside an amount of money it is what was traded.
  const coins = amount === 0 ? parseBillionths(asText(row.qty) ?? '') : null;
  if (symbol === null || coins === 0) return null;
  return {
    activityId: textOf(row, 'id'),
    kind: 'coin_fee',
    symbol,
    amount,
    units: null,
    date: tradedOn(row) ?? dateOf(row),
    ...(coins !== null && { coins: -coins as Billionths }),
  };
}

/** "TAF fee for proceed of 3 shares (1 trades) on 2026-02-02 by 123456789", or the sub-type of newer answers. */
function aboutOf(row: Fields): string {
  return `${asText(row.activity_sub_type) ?? ''} ${asText(row.description) ?? ''}`;
}

/** The day of the trades, which the vendor states beside the day on which it lists the fee. */
function tradedOn(row: Fields): IsoDate | null {
  const day = /\bon (\d{4}-\d{2}-\d{2})\b/.exec(asText(row.description) ?? '')?.[1];
  return day === undefined || Number.isNaN(Date.parse(day)) ? null : (day as IsoDate);
}

/** A date, or a time of which the date counts. */
export function dateOf(row: Fields): IsoDate {
  const date = textOf(row, 'date').slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    throw new Unreadable(`an activity of the day ${date}`);
  return date as IsoDate;
}

/**
 * By the vendor's activity types, without FILL. What is deducted from a dividend counts as its tax. The events of options move no
 * money by themselves; their shares (OPTRD) do, at the strike, which our books have by then, by our rules or as an assignment: they are not asked for.
 */
const KINDS: Readonly<Record<string, CashActivityKind | 'journal'>> = {
  DIV: 'dividend',
  DIVCGL: 'dividend',
  DIVCGS: 'dividend',
  DIVROC: 'dividend',
  DIVTXEX: 'dividend',
  DIVFEE: 'withholding_tax',
  DIVFT: 'withholding_tax',
  DIVNRA: 'withholding_tax',
  DIVTW: 'withholding_tax',
  INT: 'interest',
  INTNRA: 'interest',
  INTTW: 'interest',
  FEE: 'fee',
  CFEE: 'fee',
  PTC: 'fee',
  PTR: 'fee',
  CSD: 'deposit',
  CSW: 'withdrawal',
  JNLC: 'journal',
  ACATC: 'journal',
  OPASN: 'delivery',
  OPEXP: 'delivery',
  OPXRC: 'delivery',
  OPEXC: 'delivery',
  MA: 'other',
  REORG: 'other',
  SSO: 'other',
  MISC: 'other',
};
/** Of regulators, exchanges and the clearing house: for trades. */
const TRADING_FEES = /\b(TAF|REG|SEC|CAT|ORF|OCC)\b/;
/** "Coin Pair Transaction Fee (Non USD)". */
const COIN_FEES = /\b(coin pair|crypto)/i;
/** Charged for each share or contract. */
const UNIT_FEES = /\b(TAF|CAT|ORF|OCC)\b/;
