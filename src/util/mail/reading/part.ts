/** A part of a message, as Gmail's API gives it: transfer encodings are undone. */
export interface MailPart {
  readonly mimeType?: string;
  readonly filename?: string;
  readonly headers?: readonly { readonly name?: string; readonly value?: string }[];
  /** `data` is base64url; Gmail gives a long text by its id only, like an attachment. */
  readonly body?: { readonly attachmentId?: string; readonly size?: number; readonly data?: string };
  readonly parts?: readonly MailPart[];
}
