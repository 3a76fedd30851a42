import { decodeTlv, encodeTlv, TlvError, type TlvNode } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { BodyReader, counted, int32, uint32 } from './body-reader.js';

// What functions 31 and 32 carry is known from the vendor's demo host alone, which writes and reads C structures: their data
// objects are from public sources incomplete.

/** PERFORM TRANSACTION (function 31): from the wait for a card to the first cryptogram. */
export interface PerformRequest {
  /** Ways in which a card may be given, as bits. */
  readonly cardWays: number;
  readonly timeoutSeconds: number;
  readonly objects: readonly TlvNode[];
}

/** The end of PERFORM TRANSACTION. */
export interface PerformAnswer {
  readonly result: number;
  /** How the cardholder was verified; bits are not published. */
  readonly verification: number;
  /** Of the L3 module, signed. */
  readonly error: number;
  readonly scheme: number;
  readonly objects: readonly TlvNode[];
}

/** COMPLETE TRANSACTION (function 32): the issuer's answer. */
export interface CompleteRequest {
  /** False: no host could be reached. */
  readonly online: boolean;
  readonly objects: readonly TlvNode[];
}

/** The end of COMPLETE TRANSACTION. */
export interface CompleteAnswer {
  readonly result: number;
  readonly error: number;
}

/** Reads data objects of a body. @throws TerminalFormatError */
export function readObjects(field: string, bytes: Uint8Array): TlvNode[] {
  try {
    return decodeTlv(bytes);
  } catch (error) {
    if (error instanceof TlvError)
      throw new TerminalFormatError(field, `are no data objects: ${error.message}`);
    throw error;
  }
}

/** The data of function 31. */
export function encodePerform({ cardWays, timeoutSeconds, objects }: PerformRequest): Buffer {
  return Buffer.concat([Buffer.of(cardWays), uint32(timeoutSeconds), counted(encodeTlv(objects))]);
}

/** @throws TerminalFormatError */
export function decodePerform(data: Uint8Array): PerformRequest {
  const reader = new BodyReader(data);
  const cardWays = reader.byte('card ways');
  const timeoutSeconds = reader.uint32('timeout');
  const objects = readObjects('objects', reader.counted('objects'));
  reader.end();
  return { cardWays, timeoutSeconds, objects };
}

/** The data of the answer to function 31, behind its code. */
export function encodePerformAnswer(answer: PerformAnswer): Buffer {
  const objects = encodeTlv(answer.objects);
  return Buffer.concat([
    Buffer.of(answer.result, answer.verification),
    int32(answer.error),
    Buffer.of(answer.scheme),
    uint32(objects.length),
    objects,
  ]);
}

/** @throws TerminalFormatError */
export function decodePerformAnswer(data: Uint8Array): PerformAnswer {
  const reader = new BodyReader(data);
  const result = reader.byte('result');
  const verification = reader.byte('cardholder verification');
  const error = reader.int32('error');
  const scheme = reader.byte('scheme');
  const objects = readObjects('objects', reader.bytes('objects', reader.uint32('length of objects')));
  return { result, verification, error, scheme, objects };
}

/** The data of function 32. */
export function encodeComplete({ online, objects }: CompleteRequest): Buffer {
  return Buffer.concat([Buffer.of(online ? 1 : 0), counted(encodeTlv(objects))]);
}

/** @throws TerminalFormatError */
export function decodeComplete(data: Uint8Array): CompleteRequest {
  const reader = new BodyReader(data);
  const online = reader.byte('online result') === 1;
  const objects = readObjects('objects', reader.counted('objects'));
  reader.end();
  return { online, objects };
}

/** The data of the answer to function 32, behind its code. */
export function encodeCompleteAnswer({ result, error }: CompleteAnswer): Buffer {
  return Buffer.concat([Buffer.of(result), int32(error)]);
}

/** @throws TerminalFormatError */
export function decodeCompleteAnswer(data: Uint8Array): CompleteAnswer {
  const reader = new BodyReader(data);
  return { result: reader.byte('result'), error: reader.int32('error') };
}
