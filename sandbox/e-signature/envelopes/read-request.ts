// Reads a request for an envelope as strictly as the service does: what it would refuse is refused with its code.
import { PDF } from '@libpdf/core';
import type { SandboxEnvelope } from './books.ts';

type Tabs = Readonly<Record<string, readonly { readonly anchorString?: string }[]>>;

type Sent = {
  readonly emailSubject?: string;
  readonly status?: string;
  readonly documents?: readonly { readonly documentBase64?: string; readonly fileExtension?: string }[];
  readonly recipients?: {
    readonly signers?: readonly {
      readonly email?: string;
      readonly name?: string;
      readonly recipientId?: string;
      readonly clientUserId?: string;
      readonly tabs?: Tabs;
    }[];
  };
  readonly customFields?: {
    readonly textCustomFields?: readonly { readonly name: string; readonly value: string }[];
  };
  readonly eventNotification?: { readonly url?: string; readonly events?: readonly string[] };
};

type Read = Omit<SandboxEnvelope, 'envelopeId' | 'createdAtMs' | 'status' | 'signedAtMs' | 'signedName'>;

export type ReadRequest =
  | { readonly ok: true; readonly envelope: Read }
  | { readonly ok: false; readonly errorCode: string; readonly message: string };

export async function readEnvelopeRequest(sent: Sent): Promise<ReadRequest> {
  const [document] = sent.documents ?? [];
  const [signer] = sent.recipients?.signers ?? [];
  if (sent.status !== 'sent') return refused('INVALID_REQUEST_PARAMETER', 'status must be sent');
  if (!document?.documentBase64 || document.fileExtension !== 'pdf')
    return refused('INVALID_REQUEST_BODY', 'a PDF document is needed');
  if (!signer?.email || !signer.name || !signer.recipientId || !signer.clientUserId)
    return refused('INVALID_REQUEST_BODY', 'an embedded signer is needed');
  const bytes = Buffer.from(document.documentBase64, 'base64');
  const text = await textOf(bytes);
  if (text === null) return refused('UNABLE_TO_LOAD_DOCUMENT', 'the document is no PDF');
  const missing = Object.values(signer.tabs ?? {})
    .flat()
    .find(({ anchorString }) => anchorString !== undefined && !text.includes(anchorString));
  if (missing !== undefined)
    return refused('ANCHOR_TAB_STRING_NOT_FOUND', `${missing.anchorString} is not in the document`);
  return {
    ok: true,
    envelope: {
      document: bytes,
      subject: sent.emailSubject ?? '',
      signer: { email: signer.email, name: signer.name, clientUserId: signer.clientUserId },
      customFields: new Map(
        (sent.customFields?.textCustomFields ?? []).map(({ name, value }) => [name, value]),
      ),
      noticeUrl: sent.eventNotification?.url ?? null,
      noticeEvents: sent.eventNotification?.events ?? [],
    },
  };
}

async function textOf(bytes: Uint8Array): Promise<string | null> {
  try {
    const pdf = await PDF.load(bytes);
    return pdf
      .extractText()
      .map(({ text }) => text)
      .join('\n');
  } catch {
    return null;
  }
}

function refused(errorCode: string, message: string): ReadRequest {
  return { ok: false, errorCode, message };
}
