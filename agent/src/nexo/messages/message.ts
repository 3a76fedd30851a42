import { categorySpec } from './categories.js';
import { Fields } from './fields.js';
import { type MessageHeader, readHeader, responseHeader } from './header.js';
import { NexoError } from './nexo-error.js';

/** A request of a till: its header, and what it carries. */
export interface NexoRequest {
  readonly header: MessageHeader;
  readonly body: Fields;
}

/** What a till sent, before its header is read. */
export interface SentMessage {
  readonly header: unknown;
  readonly members: Fields;
}

/** Name of the object around every message of a till, and around a terminal's unsolicited messages. */
export const REQUEST_NAME = 'SaleToPOIRequest';
/** Name of the object around an answer. */
const RESPONSE_NAME = 'SaleToPOIResponse';

/** Takes the outer object away. @throws NexoError `bad-envelope` */
export function sentMessage(value: unknown): SentMessage {
  try {
    const members = new Fields(value, 'the message').object(REQUEST_NAME);
    return { header: members.get('MessageHeader'), members };
  } catch (error) {
    const reason = error instanceof NexoError ? `: ${error.message}` : '';
    throw new NexoError('bad-envelope', `the body must be a JSON object with ${REQUEST_NAME}${reason}`);
  }
}

/** The key that an enciphered message names, as the till wrote it. */
export function namedKey({ members }: SentMessage): {
  readonly identifier: unknown;
  readonly version: unknown;
} {
  const { KeyIdentifier, KeyVersion } = Object(members.get('SecurityTrailer')) as Readonly<
    Record<string, unknown>
  >;
  return { identifier: KeyIdentifier, version: KeyVersion };
}

/** Reads a request. @throws NexoError `bad-field`, `bad-header` */
export function readRequest({ header, members }: SentMessage): NexoRequest {
  const read = readHeader(header);
  const { request } = categorySpec(read.MessageCategory);
  // Some clients leave out an object without members.
  const body = members.get(request) ?? {};
  return { header: read, body: new Fields(body, request) };
}

/** The whole answer to a request; `response` is what follows the header. */
export function responseMessage({ header }: Pick<NexoRequest, 'header'>, response: object): object {
  const { response: name = '' } = categorySpec(header.MessageCategory);
  return { [RESPONSE_NAME]: { MessageHeader: responseHeader(header), [name]: response } };
}
