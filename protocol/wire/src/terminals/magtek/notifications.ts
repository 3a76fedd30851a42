import { encodeTlv, tlv } from '../../emv/tlv.js';
import { parameter, readParameters } from './message.js';

/** Source and type of the notifications that the driver knows. */
export const NOTIFICATIONS = {
  transactionUpdate: 0x0101,
  transactionComplete: 0x0105,
  deviceUpdate: 0x1001,
  /** Of the user interface: the host is to do something. */
  hostAction: 0x1803,
} as const;

/** Details of what the user interface wants from the host. */
export const HOST_ACTIONS = {
  /** The right button of the page that prompts for a card was touched; the device shows PLEASE WAIT until the next command. */
  rightButton: '01050000',
} as const;

/** First byte of the detail of both transaction notifications. */
const TECHNOLOGIES = {
  none: '00',
  manual: '07',
  magstripe: '08',
  contact: '10',
  contactless: '20',
} as const;
export type Technology = keyof typeof TECHNOLOGIES;

const BY_BYTE: ReadonlyMap<string, Technology> = new Map(
  Object.entries(TECHNOLOGIES).map(([name, byte]) => [byte, name as Technology]),
);

/** What a transaction update reports: reason and detail. */
const UPDATES = {
  /** With technology `manual`: the card number was keyed in. */
  swiped: '0101',
  inserted: '0102',
  removed: '0103',
  detected: '0104',
  collision: '0105',
  pinPadError: '020601',
  pinEnciphermentError: '020602',
  requestData: '080202',
  batchData: '080302',
} as const;
export type UpdateName = keyof typeof UPDATES;

/** Details of the device's own notifications. */
export const DEVICE_UPDATES = {
  resetOccurred: '00000000',
  /** The payload is the number of minutes. */
  resetSoon: '00010000',
  /** The last byte is the charge in percent. */
  lowBattery: '000200',
  temperatureHigh: '040001',
} as const;

/** A transaction update, read. */
export interface TransactionUpdate {
  readonly technology: Technology;
  readonly what: UpdateName;
}

/** Reads the detail of a transaction update; undefined for one without anything of interest. */
export function readUpdate(detail: string): TransactionUpdate | undefined {
  const technology = BY_BYTE.get(detail.slice(0, 2));
  const rest = detail.slice(2);
  for (const [name, code] of Object.entries(UPDATES)) {
    if (technology && rest.startsWith(code)) return { technology, what: name as UpdateName };
  }
  return undefined;
}

/** The detail of a transaction update. */
export function updateDetail(technology: Technology, what: UpdateName): string {
  return (TECHNOLOGIES[technology] + UPDATES[what]).padEnd(8, '0');
}

/** How a transaction ended. */
export type OutcomeName =
  | 'timeout'
  | 'cancelledByHost'
  | 'cancelledByUser'
  | 'entryError'
  | 'manualDone'
  | 'none'
  | 'tryAnotherInterface'
  | 'offlineApproved'
  | 'offlineDeclined'
  | 'offlineFailed'
  | 'offlineNotAccepted'
  | 'approved'
  | 'quickChipDeferred'
  | 'failed'
  | 'notAccepted'
  | 'cancelled'
  | 'tryAgain'
  | 'endApplication'
  | 'declined'
  | 'completedDeclined';

/** Second and third byte of the detail of a completed transaction. */
export const OUTCOMES: Readonly<Record<OutcomeName, { readonly code: string; readonly meaning: string }>> = {
  timeout: { code: '0100', meaning: 'no card in time' },
  cancelledByHost: { code: '0301', meaning: 'cancelled by the host' },
  cancelledByUser: { code: '0302', meaning: 'cancelled by the cardholder' },
  entryError: { code: '0305', meaning: 'ended by an error of reading or entering a card' },
  manualDone: { code: '0400', meaning: 'completed' },
  none: { code: '0200', meaning: 'no outcome' },
  tryAnotherInterface: { code: '0201', meaning: 'another interface is to be tried' },
  offlineApproved: { code: '0202', meaning: 'approved offline' },
  offlineDeclined: { code: '0203', meaning: 'declined offline' },
  offlineFailed: { code: '0204', meaning: 'failed offline' },
  offlineNotAccepted: { code: '0205', meaning: 'not accepted offline' },
  approved: { code: '0206', meaning: 'approved' },
  quickChipDeferred: { code: '0207', meaning: 'deferred by quick chip' },
  failed: { code: '0208', meaning: 'failed' },
  notAccepted: { code: '0209', meaning: 'not accepted' },
  cancelled: { code: '020A', meaning: 'cancelled' },
  tryAgain: { code: '020D', meaning: 'to be tried again' },
  endApplication: { code: '020F', meaning: 'the application was ended' },
  declined: { code: '0280', meaning: 'declined' },
  completedDeclined: { code: '0407', meaning: 'completed and declined' },
};

const OUTCOME_BY_CODE: ReadonlyMap<string, OutcomeName> = new Map(
  Object.entries(OUTCOMES).map(([name, { code }]) => [code, name as OutcomeName]),
);

/** The end of a transaction, read. */
export interface TransactionOutcome {
  readonly technology: Technology;
  readonly outcome: OutcomeName;
}

/** Reads the detail of a completed transaction; undefined for one that is not listed. */
export function readOutcome(detail: string): TransactionOutcome | undefined {
  const technology = BY_BYTE.get(detail.slice(0, 2));
  const outcome = OUTCOME_BY_CODE.get(detail.slice(2, 6));
  return technology && outcome && { technology, outcome };
}

/** The detail of a completed transaction. */
export function outcomeDetail(technology: Technology, outcome: OutcomeName): string {
  return `${TECHNOLOGIES[technology]}${OUTCOMES[outcome].code}00`;
}

/** Bytes of the notification's number before a transaction's object. */
const ID_BYTES = 2;
const OBJECT = '84';

/** The payload of a notification that brings a transaction's object. */
export function objectPayload(id: number, object: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(id >> 8, id & 0xff), encodeTlv([tlv(OBJECT, object)])]);
}

/** A transaction's object within a payload; undefined where there is none. @throws TerminalFormatError */
export function payloadObject(payload: Buffer): Buffer | undefined {
  if (payload.length <= ID_BYTES) return undefined;
  const value = parameter(readParameters(payload.subarray(ID_BYTES)), OBJECT);
  return value && Buffer.from(value);
}
