export function draftAddress(id: string): string {
  return `/strategy/new?draft=${encodeURIComponent(id)}`;
}
