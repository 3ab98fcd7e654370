// The mail that takes an anchor of the audit log out of reach of whoever rules the machine.
type AnchorMail = { readonly subject: string; readonly text: string };

export function anchorMail({
  number,
  line,
  publicKey,
}: {
  readonly number: number;
  /** The signed line. */
  readonly line: string;
  /** PEM. */
  readonly publicKey: string;
}): AnchorMail {
  return {
    subject: `Anchor ${number} of the audit log`,
    text: `This is what the audit log was when it was anchored. Keep this mail: with it you can show later whether anybody has rewritten the log since.

To check, save the line below in a file and run: npm run verify-audit -- --anchors FILE

${line}

It is signed with the key whose public half is:

${publicKey}`,
  };
}
