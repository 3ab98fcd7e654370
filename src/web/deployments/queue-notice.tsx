import type { Deployment } from '#contract/deployments.ts';
import { Button } from '../kit/control/button.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { useDeploymentCommand, useDeploymentPlace } from './deployment-queries.ts';

/** Money of it waits for room in its strategy: the place, what happens next, and the way out. */
export function QueueNotice({ deployment }: { deployment: Deployment }) {
  if (!deployment.awaits_capacity) return null;
  return <Waiting deployment={deployment} />;
}

function Waiting({ deployment }: { deployment: Deployment }) {
  const { data } = useDeploymentPlace(deployment.id);
  const leave = useDeploymentCommand(deployment.id, 'stop');
  const place = data?.place ?? null;
  if (place === null) return null;
  return (
    <Notice
      title={`Number ${place.number} in the queue`}
      action={
        place.flow === null && (
          <Button
            variant="secondary"
            size="small"
            busy={leave.isPending}
            busyLabel="Leaving..."
            onClick={() => leave.mutate()}
          >
            Leave the Queue
          </Button>
        )
      }
    >
      {place.note}
    </Notice>
  );
}
