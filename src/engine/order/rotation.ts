// Whose orders leave first when a strategy trades. Promises an order that anyone can compute again from the strategy’s version, the
// number of the signal and the accounts, and that favours nobody: after any number of signals the places of two accounts that were
// both there add up to sums that differ by less than the number of accounts.
//
// Each version of a strategy has a ring on which every account has a seat, drawn by a hash. Signals come in pairs: the first of a pair
// goes round the ring from a start, the second the same way backwards. Who is k-th from the front is then k-th from the back, so that
// the places of a pair add up to the same for everybody; one pair that is not complete yet is all that two sums can differ by. The
// start of each pair is a golden section of the ring further on, which spreads the starts more evenly than chance does.
import type { BrokerConnectionId, StrategyVersionId } from '#units/identifiers.ts';
import { sha256Words } from '../evidence/sha256.ts';

/** One close at which a version trades. */
export type Signal = {
  readonly versionId: StrategyVersionId;
  /** 1, 2, 3: how many times it has asked to trade, with this one. */
  readonly turn: number;
};

/** From 0, the first, up to 1: how much of the ring comes before the account. */
export function shareBefore(signal: Signal, account: BrokerConnectionId): number {
  return stepOf(signal, account) / RING;
}

/**
 * The accounts in the order in which their orders leave. Several strategies that trade at the same close share the way: an account
 * that follows more than one has its turn by the first of its signals. Accounts without a signal come before: they only close.
 */
export function inRotation<One extends { readonly id: BrokerConnectionId }>(
  accounts: readonly One[],
  signalsOf: (account: One) => readonly Signal[],
): readonly One[] {
  return accounts
    .map((account) => ({ account, signal: firstOf(signalsOf(account)) }))
    .map(({ account, signal }) => ({
      account,
      step: signal === undefined ? -1 : stepOf(signal, account.id),
      sign: signal !== undefined && isBackwards(signal) ? -1 : 1,
    }))
    .toSorted(
      (one, other) => one.step - other.step || one.sign * (one.account.id < other.account.id ? -1 : 1),
    )
    .map(({ account }) => account);
}

function firstOf(signals: readonly Signal[]): Signal | undefined {
  return signals.toSorted((one, other) =>
    one.versionId === other.versionId ? other.turn - one.turn : one.versionId < other.versionId ? -1 : 1,
  )[0];
}

function stepOf(signal: Signal, account: BrokerConnectionId): number {
  const pair = (signal.turn - 1) >> 1;
  const start = Math.imul(pair, GOLDEN) >>> 0;
  const seat = sha256Words(`${signal.versionId} ${account}`)[0]! >>> 0;
  const step = (seat - start) >>> 0;
  return isBackwards(signal) ? RING - 1 - step : step;
}

const isBackwards = ({ turn }: Signal): boolean => turn % 2 === 0;

const RING = 4_294_967_296;
/** The ring times the golden section, to the nearest odd number (Knuth, The Art of Computer Programming, volume 3, section 6.4). */
const GOLDEN = 2_654_435_769;
