/** What was looked at, whether it is fit for trading, and otherwise the setting and the way out. */
export type Finding = { readonly subject: string; readonly isFit: boolean; readonly detail: string };

export function fit(subject: string, detail: string): Finding {
  return { subject, isFit: true, detail };
}

export function unfit(subject: string, detail: string): Finding {
  return { subject, isFit: false, detail };
}
