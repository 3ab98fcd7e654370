import type { Claim } from '#contract/strategies/claim.ts';
import { showPercent, showSpan } from '../../kit/figure/show-figure.ts';
import { TextureKey } from '../../kit/figure/texture-key.tsx';

/** On a tile: what the provider claims, apart from every figure of ours. */
export function ClaimMark({ claim }: { claim: Claim }) {
  const { agreement, annual_return: yearly } = claim;
  return (
    <p className="mt-3 border-t pt-3 text-xs text-ink-faint">
      <TextureKey texture="claimed" words={false} />{' '}
      <span>
        {claim.label}:{' '}
        {yearly === null
          ? `${showPercent(claim.total_return, { sign: true, decimals: 1 })} in all`
          : `${showPercent(yearly, { sign: true, decimals: 1 })} a year`}
        , {showSpan(claim.first_date, claim.last_date)}.{' '}
        <span className={agreement.outcome === 'contradicted' ? 'text-caution' : undefined}>
          {agreement.word}.
        </span>
      </span>
    </p>
  );
}
