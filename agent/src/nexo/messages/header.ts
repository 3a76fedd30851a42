import { CATEGORIES, type MessageCategory, type MessageClass } from './categories.js';
import { Fields } from './fields.js';
import { NexoError } from './nexo-error.js';

/** The version of the protocol that the header names. */
export const PROTOCOL_VERSION = '3.0';

/** The clear head of every message (nexo Retailer 3.0, MessageHeader). */
export interface MessageHeader {
  readonly ProtocolVersion: string;
  readonly MessageClass: MessageClass;
  readonly MessageCategory: MessageCategory;
  readonly MessageType: 'Request' | 'Response' | 'Notification';
  /** Of a Service or an Event: unique for {@link SERVICE_ID_HOURS} for a SaleID and a POIID. */
  readonly ServiceID?: string;
  /** Of a Device message. */
  readonly DeviceID?: string;
  /** The till. */
  readonly SaleID: string;
  /** The terminal. */
  readonly POIID: string;
}

/** How long a ServiceID stays taken. */
export const SERVICE_ID_HOURS = 48;

const CLASSES: readonly MessageClass[] = ['Service', 'Device', 'Event'];
const CATEGORY_NAMES = Object.keys(CATEGORIES) as readonly MessageCategory[];
const VERSION = /^3\.\d{1,2}$/;
/** Of ServiceID and DeviceID. */
const SHORT_ID = /^[0-9A-Za-z]{1,10}$/;
const SHORT_ID_RULE = '1 to 10 letters or digits';
/** Of SaleID and POIID. */
const PARTY_ID = /^[!-~](?:[ -~]{0,62}[!-~])?$/;
const PARTY_ID_RULE = '1 to 64 printable ASCII characters without a blank at either end';

/** Whether a value may be a SaleID or a POIID. */
export function isPartyId(value: unknown): value is string {
  return typeof value === 'string' && PARTY_ID.test(value);
}

/**
 * The header of a message that a till sent.
 * @throws NexoError `bad-field`, `bad-header`
 */
export function readHeader(value: unknown): MessageHeader {
  const fields = new Fields(value, 'MessageHeader');
  const category = fields.oneOf('MessageCategory', CATEGORY_NAMES);
  const messageClass = fields.oneOf('MessageClass', CLASSES);
  const spec = CATEGORIES[category];
  if (spec.messageClass !== messageClass)
    throw new NexoError('bad-header', `MessageClass of ${category} must be ${spec.messageClass}`);
  const type = category === 'Event' ? 'Notification' : 'Request';
  const header = {
    ProtocolVersion:
      fields.textIfThere('ProtocolVersion', VERSION, `${PROTOCOL_VERSION}`) ?? PROTOCOL_VERSION,
    MessageClass: messageClass,
    MessageCategory: category,
    MessageType: fields.oneOf('MessageType', [type]),
    SaleID: fields.text('SaleID', PARTY_ID, PARTY_ID_RULE),
    POIID: fields.text('POIID', PARTY_ID, PARTY_ID_RULE),
  };
  const service = fields.textIfThere('ServiceID', SHORT_ID, SHORT_ID_RULE);
  const device = fields.textIfThere('DeviceID', SHORT_ID, SHORT_ID_RULE);
  if (messageClass !== 'Device' && service === undefined)
    throw new NexoError(
      'bad-header',
      `MessageHeader.ServiceID is missing: a ${messageClass} message needs it`,
    );
  return {
    ...header,
    ...(service !== undefined && { ServiceID: service }),
    ...(device !== undefined && { DeviceID: device }),
  };
}

/** The header of the response to a request. */
export function responseHeader(header: MessageHeader): MessageHeader {
  return { ...header, MessageType: 'Response' };
}
