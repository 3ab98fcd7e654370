// Documents to keep or print, in our words. An adapter promises that every part is on the page, in order, and that the same
// document is the same file.
import type { Instant } from '#units/instant.ts';

export type PrintedDocument = {
  readonly title: string;
  /** Below the title: whose it is, and of what. */
  readonly lead: readonly string[];
  /** A BCP 47 tag. */
  readonly language: string;
  readonly madeAt: Instant;
  readonly parts: readonly PrintedPart[];
};

type PrintedPart =
  | { readonly kind: 'heading' | 'text'; readonly text: string }
  | { readonly kind: 'figure'; readonly label: string; readonly value: string; readonly note?: string };

export type PrintDocument = (document: PrintedDocument) => Promise<Uint8Array>;
