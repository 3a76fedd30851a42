import { encodeTlv, type TlvNode } from '../../emv/tlv.js';
import { BodyReader, counted, int32, uint32 } from './body-reader.js';
import { readObjects } from './perform.js';

/** What the pad reports or requests while function 31 runs (function 36). */
export const CALLBACKS = {
  debug: 0,
  uiEvent: 1,
  getPin: 2,
  getAmount: 3,
  selectCandidate: 4,
  selectAccount: 5,
  selectLanguage: 6,
  checkCredentials: 7,
  voiceReferral: 8,
  afterFinalSelect: 10,
  confirmCardNumber: 13,
} as const;

/** Events that need no answer. */
export const UI_EVENTS = {
  presentCard: 0,
  processing: 1,
  capkLoadFailed: 2,
  seePhone: 3,
  confirmCardNumber: 4,
  chipErrorRetry: 5,
  pinStatus: 6,
} as const;

/** First byte of the event `presentCard`: how. */
export const PRESENT_CARD = {
  keyIn: 0,
  magstripe: 1,
  insert: 2,
  tap: 3,
  insertTap: 4,
  magstripeInsert: 5,
  magstripeTap: 6,
  magstripeInsertTap: 7,
  magstripeInsertTapManual: 8,
  presentAgain: 9,
  useChip: 10,
  fallbackToMagstripe: 11,
  tryAnother: 12,
} as const;

/** Who checks the requested PIN: the issuer, or the card. */
export const PIN_TYPES = { online: 0, offline: 1, offlineEnciphered: 2 } as const;

/** The card faces of `afterFinalSelect`. */
export const INTERFACES = { contact: 1, contactless: 2 } as const;

/** A callback of the pad. `other`: one that is not used here. */
export type Callback =
  | { readonly kind: 'ui-event'; readonly event: number; readonly data: Buffer }
  | { readonly kind: 'get-pin'; readonly pinType: number }
  | { readonly kind: 'after-final-select'; readonly face: number; readonly aid: Buffer }
  | { readonly kind: 'other'; readonly id: number };

/** The host's answer to a callback. */
export interface CallbackAnswer {
  /** An error of the L3 module, 0 for none. */
  readonly result: number;
  readonly objects: readonly TlvNode[];
}

/** In place of the callback's id in the host's answer. */
const ANSWER_ID = 0xff;

/** The data of function 36 from the pad. */
export function encodeCallback(callback: Exclude<Callback, { kind: 'other' }>): Buffer {
  switch (callback.kind) {
    case 'ui-event':
      return Buffer.concat([Buffer.of(CALLBACKS.uiEvent, callback.event), counted(callback.data)]);
    case 'get-pin':
      return Buffer.of(CALLBACKS.getPin, callback.pinType);
    case 'after-final-select':
      return Buffer.concat([Buffer.of(CALLBACKS.afterFinalSelect, callback.face), counted(callback.aid)]);
  }
}

/** Reads the data of function 36 from the pad. @throws TerminalFormatError */
export function decodeCallback(data: Uint8Array): Callback {
  const reader = new BodyReader(data);
  const id = reader.byte('callback');
  switch (id) {
    case CALLBACKS.uiEvent:
      return { kind: 'ui-event', event: reader.byte('event'), data: reader.counted('event data') };
    case CALLBACKS.getPin:
      return { kind: 'get-pin', pinType: reader.byte('PIN type') };
    case CALLBACKS.afterFinalSelect:
      return { kind: 'after-final-select', face: reader.byte('interface'), aid: reader.counted('AID') };
    default:
      return { kind: 'other', id };
  }
}

/** The data of function 36 from the host. */
export function encodeCallbackAnswer({ result, objects }: CallbackAnswer): Buffer {
  const bytes = encodeTlv(objects);
  return Buffer.concat([Buffer.of(ANSWER_ID), int32(result), uint32(bytes.length), bytes]);
}

/** Reads the data of function 36 from the host. @throws TerminalFormatError */
export function decodeCallbackAnswer(data: Uint8Array): CallbackAnswer {
  const reader = new BodyReader(data);
  reader.byte('callback');
  const result = reader.int32('result');
  const objects = readObjects('objects', reader.bytes('objects', reader.uint32('length of objects')));
  reader.end();
  return { result, objects };
}
