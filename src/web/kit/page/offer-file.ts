/** Offers a file that this page has made for saving. */
export function offerFile(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
}

/** Long enough for the browser to have taken the file. */
const RELEASE_MS = 30_000;
