// What DocuSign is asked to make: one document, one embedded signer, fields at hidden marks, and a notice of each outcome.
// Numbers and booleans are strings in this API.
import type { Envelope } from '#ports/signing.ts';

/** The name of the custom field by which an envelope is found again. */
export const OUR_ID = 'agreement_id';

export const ANCHORS = {
  signature: { label: 'Signature', text: '/sn1/' },
  name: { label: 'Name', text: '/fn1/' },
  date: { label: 'Date', text: '/ds1/' },
} as const;

export function envelopeRequest(envelope: Envelope, noticeUrl: string): unknown {
  const { agreement, signer, agreementId } = envelope;
  return {
    emailSubject: `${agreement.title} ${agreement.version}`,
    status: 'sent',
    documents: [
      {
        documentBase64: Buffer.from(envelope.presented).toString('base64'),
        name: agreement.title,
        fileExtension: 'pdf',
        documentId: '1',
      },
    ],
    recipients: {
      signers: [
        {
          email: signer.email,
          name: signer.name,
          recipientId: '1',
          routingOrder: '1',
          // An embedded signer: gets no mail, and is the one whom we signed in.
          clientUserId: signer.userId,
          tabs: {
            signHereTabs: [tabAt(ANCHORS.signature.text)],
            fullNameTabs: [tabAt(ANCHORS.name.text)],
            dateSignedTabs: [tabAt(ANCHORS.date.text)],
          },
        },
      ],
    },
    customFields: { textCustomFields: [{ name: OUR_ID, value: agreementId, show: 'false' }] },
    eventNotification: {
      url: noticeUrl,
      requireAcknowledgment: 'true',
      loggingEnabled: 'true',
      includeHMAC: 'true',
      deliveryMode: 'SIM',
      events: ['envelope-completed', 'envelope-declined', 'envelope-voided'],
      eventData: { version: 'restv2.1' },
    },
  };
}

function tabAt(anchorString: string) {
  return { anchorString, anchorUnits: 'pixels', anchorXOffset: '0', anchorYOffset: '10' };
}
