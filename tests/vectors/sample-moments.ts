// Skewness and kurtosis as other libraries estimate them from a sample.
import { type Moments, moments } from '#engine/performance/risk/moments.ts';
import { present } from '#engine/performance/returns.ts';

/** The sample's estimates G1 and G2 (Joanes & Gill, 1998); kurtosis here is in excess of 3. */
export function sampleMoments(returns: Float64Array): Moments {
  const n = present(returns).length;
  const { skewness, kurtosis } = moments(returns);
  return {
    skewness: (skewness * Math.sqrt(n * (n - 1))) / (n - 2),
    kurtosis: ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * (kurtosis - 3) + 6),
  };
}
