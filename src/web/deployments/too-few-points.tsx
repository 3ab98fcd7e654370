import { EmptyState } from '../kit/state/empty-state.tsx';

/** A performance chart needs more than two points (specification, section 9, in its own words). */
export function TooFewPoints({ title }: { title: string }) {
  return (
    <EmptyState title={title}>
      Insufficient data to show performance chart. Deploy an AI-Model and wait for atleast 2 days to see
      account performance.
    </EmptyState>
  );
}
