/** Reads messages: of Gmail, and files as mail programs save them. */
export { type MailAttachment, readBody } from './body.js';
export { decodeWords, readHeader, readRawHeader } from './headers.js';
export { parseMail } from './parse.js';
export type { MailPart } from './part.js';
