import { Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../kit/control/button.tsx';
import { Dialog } from '../../kit/overlay/dialog.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';

const Walk = lazy(async () => ({ default: (await import('./demo/walk.tsx')).Walk }));

/** Opens the demo: a short walk through the product, drawn from its own figures. */
export function ViewDemo() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="large"
        icon={<Play className="size-4" aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        View Demo
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="From choosing to trading" width="wide">
        <Suspense fallback={<Skeleton className="h-[420px]" />}>
          <Walk />
        </Suspense>
      </Dialog>
    </>
  );
}
