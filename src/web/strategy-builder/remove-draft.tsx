import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { sentenceOf } from '../call/call-error.ts';
import { Button } from '../kit/control/button.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { showToast } from '../kit/overlay/toast.ts';
import { useRemoveDraft } from './builder-queries.ts';

export function RemoveDraft({ draft }: { draft: StrategyDraft }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useRemoveDraft(draft.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast({ title: 'Draft deleted', message: draft.name });
        void navigate('/custom-strategies', { replace: true });
      },
    });
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this draft?"
        description="Its rules and results are deleted permanently. A draft never trades."
        footer={
          <>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button variant="danger" busy={remove.isPending} busyLabel="Deleting..." onClick={confirm}>
              Delete draft
            </Button>
          </>
        }
      >
        {remove.isError && (
          <Notice tone="failure">{sentenceOf(remove.error, 'It was not deleted. Please try again.')}</Notice>
        )}
      </Dialog>
    </>
  );
}
