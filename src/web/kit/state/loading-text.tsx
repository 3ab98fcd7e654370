/** Tells users who cannot see the skeletons what is loading. */
export function LoadingText({ children }: { children: string }) {
  return (
    <p role="status" className="text-sm text-ink-faint">
      {children}
    </p>
  );
}
