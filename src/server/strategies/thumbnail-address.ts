type Pictured = { readonly id: string; readonly thumbnailHash: string | null };

/** Where a strategy's own picture is; null without one. Another picture has another address. */
export function thumbnailAddress({ id, thumbnailHash }: Pictured): string | null {
  return thumbnailHash === null ? null : `/api/strategies/${id}/thumbnail/${thumbnailHash}`;
}
