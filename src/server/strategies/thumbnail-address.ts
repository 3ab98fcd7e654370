type Pictured = { readonly id: string; readonly thumbnailHash: string | null };

/** The address of a strategy's own picture; null without one. A new picture gets a new address. */
export function thumbnailAddress({ id, thumbnailHash }: Pictured): string | null {
  return thumbnailHash === null ? null : `/api/strategies/${id}/thumbnail/${thumbnailHash}`;
}
