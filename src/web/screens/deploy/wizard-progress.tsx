import { Check } from 'lucide-react';
import { useHasProvider } from '../../call/installation.ts';
import { classNames } from '../../kit/class-names.ts';
import { ProgressBar } from '../../kit/state/progress-bar.tsx';
import { reachableStep, stepLabel, visibleSteps } from './steps.ts';
import type { Wizard } from './wizard-state.ts';

/** Where one is among the steps; what is done can be gone back to. */
export function WizardProgress({ wizard }: { wizard: Wizard }) {
  const { step, progress, goTo } = wizard;
  const hasProvider = useHasProvider();
  const steps = visibleSteps(progress);
  const place = steps.indexOf(step);
  const text = `Step ${place + 1} of ${steps.length}: ${stepLabel(step, hasProvider)}`;
  const next = steps[place + 1];
  return (
    <nav aria-label="Deployment steps" className="mt-8">
      <ProgressBar label="Deployment" value={place + 1} max={steps.length} text={text} />
      {next && <p className="mt-3 text-sm text-ink-faint md:hidden">Next: {stepLabel(next, hasProvider)}</p>}
      <ol className="mt-3 hidden flex-wrap gap-x-6 gap-y-2 text-sm md:flex">
        {steps.map((one, index) => {
          const isDone = index < place;
          const canGo = one !== step && reachableStep(one, progress) === one;
          return (
            <li key={one} aria-current={one === step ? 'step' : undefined}>
              <button
                type="button"
                disabled={!canGo}
                onClick={() => goTo(one)}
                className={classNames(
                  'inline-flex items-center gap-1.5 py-1',
                  one === step
                    ? 'font-medium text-ink'
                    : canGo
                      ? 'text-accent hover:underline'
                      : 'text-ink-faint',
                )}
              >
                {isDone && <Check className="size-4" aria-hidden="true" />}
                {stepLabel(one, hasProvider)}
                {isDone && <span className="sr-only">, done</span>}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
