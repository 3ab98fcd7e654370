import type { Deployment } from '#contract/deployments.ts';
import { showMoney } from '../kit/figure/show-figure.ts';

/** What a deployment is worth: practice money is dotted under, so that it never looks like money of the person's own. */
export function ValueOfMode({ deployment: { mode, equity } }: { deployment: Deployment }) {
  if (mode !== 'practice') return showMoney(equity);
  return (
    <span className="underline decoration-dotted decoration-2 underline-offset-4">
      <span className="sr-only">practice money, </span>
      {showMoney(equity)}
    </span>
  );
}
