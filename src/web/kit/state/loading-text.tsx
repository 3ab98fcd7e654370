/** Says what is loading to those who cannot see the skeletons. */
export function LoadingText({ children }: { children: string }) {
  return (
    <p role="status" className="text-sm text-ink-faint">
      {children}
    </p>
  );
}
