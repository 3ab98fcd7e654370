import { type ReactNode, useId } from 'react';
import { Button } from '../../../kit/control/button.tsx';

/** Back and next. While next is disabled, it says what is missing. */
export function StepButtons({
  onBack,
  next,
}: {
  onBack?: () => void;
  next?: {
    label: string;
    onPress: () => void;
    missing?: ReactNode;
    busy?: boolean;
    busyLabel?: string;
  };
}) {
  const id = useId();
  return (
    <div className="mt-8">
      <div className="flex flex-wrap justify-between gap-3">
        {onBack ? (
          <Button variant="secondary" size="large" onClick={onBack} disabled={next?.busy}>
            Back
          </Button>
        ) : (
          <span />
        )}
        {next && (
          <Button
            size="large"
            onClick={next.onPress}
            disabled={Boolean(next.missing)}
            busy={next.busy}
            busyLabel={next.busyLabel}
            aria-describedby={next.missing ? id : undefined}
          >
            {next.label}
          </Button>
        )}
      </div>
      {next?.missing && (
        <p id={id} className="mt-3 text-right text-sm text-ink-soft">
          {next.missing}
        </p>
      )}
    </div>
  );
}
