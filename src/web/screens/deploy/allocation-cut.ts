// What a limit per position does to a strategy that asks for more.
import type { Strategy } from '#contract/strategies/strategies.ts';
import { showShare } from '../../kit/figure/show-figure.ts';

/** All in percent. Null where nothing is cut, or where it is not known what the strategy asks for. */
export function allocationCut(
  sizes: Strategy['position_sizes'],
  limit: number,
  most: number,
): AllocationCut | null {
  if (!isCut(sizes, limit)) return null;
  const { usual, largest } = sizes;
  const asks =
    usual > limit
      ? `This strategy usually puts ${showShare(usual)} of its money into one position${largest > usual ? `, at most ${showShare(largest)}` : ''}.`
      : `This strategy usually puts ${showShare(usual)} or less of its money into one position, at most ${showShare(largest)}.`;
  const suffices = Math.min(most, Math.ceil(largest));
  return {
    sentence: `${asks} Your limit keeps anything above ${showShare(limit)} in cash, so your results will differ from the published record, which has no such limit.`,
    suffices: suffices > limit ? suffices : null,
  };
}

/** Whether a limit, in percent, cuts any position that the strategy has asked for. */
export function isCut(
  sizes: Strategy['position_sizes'],
  limit: number,
): sizes is NonNullable<Strategy['position_sizes']> {
  return sizes !== null && sizes.largest > limit;
}

type AllocationCut = {
  readonly sentence: string;
  /** The limit, within the range, that cuts least; null where the range ends. */
  readonly suffices: number | null;
};
