import { TerminalFormatError } from '../format-error.js';
import { decodeObjects, encodeObjects, type SecureObject } from './secure-tlv.js';

/** Longest timeout of 02-40: one byte of seconds. */
export const MAX_ACTIVATE_SECONDS = 0xff;

/** Data of ACTIVATE TRANSACTION (02-40). */
export interface Activate {
  /** How long the device waits for a card: 1 to {@link MAX_ACTIVATE_SECONDS}. */
  readonly timeoutSeconds: number;
  readonly objects: readonly SecureObject[];
}

/** Data of AUTHENTICATE TRANSACTION (60-11): the published logs show a flag and two bytes of seconds. */
export interface Authenticate {
  readonly forceOnline: boolean;
  /** How long the device waits for the next command. */
  readonly timeoutSeconds: number;
  readonly objects: readonly SecureObject[];
}

/** Data of APPLY HOST RESPONSE (60-12): a flag whether the host answered, and its objects. */
export interface ApplyHostResponse {
  readonly reached: boolean;
  readonly objects: readonly SecureObject[];
}

/** Writes the data of 02-40. */
export function encodeActivate({ timeoutSeconds, objects }: Activate): Buffer {
  return Buffer.concat([Buffer.of(timeoutSeconds), encodeObjects(objects)]);
}

/** Reads the data of 02-40. @throws TerminalFormatError */
export function decodeActivate(data: Uint8Array): Activate {
  const [timeoutSeconds] = data;
  if (!timeoutSeconds) throw new TerminalFormatError('timeout', 'must be 1 to 255 seconds');
  return { timeoutSeconds, objects: decodeObjects(data.subarray(1)) };
}

/** Writes the data of 60-11. */
export function encodeAuthenticate({ forceOnline, timeoutSeconds, objects }: Authenticate): Buffer {
  const head = Buffer.of(forceOnline ? 1 : 0, timeoutSeconds >>> 8, timeoutSeconds & 0xff);
  return Buffer.concat([head, encodeObjects(objects)]);
}

/** Reads the data of 60-11. @throws TerminalFormatError */
export function decodeAuthenticate(data: Uint8Array): Authenticate {
  const [flag, high, low] = data;
  if (flag === undefined || flag > 1 || high === undefined || low === undefined) {
    throw new TerminalFormatError(
      'authenticate',
      'must begin with a flag of 0 or 1 and two bytes of seconds',
    );
  }
  return {
    forceOnline: flag === 1,
    timeoutSeconds: (high << 8) | low,
    objects: decodeObjects(data.subarray(3)),
  };
}

/** Reads the data of 60-12. @throws TerminalFormatError */
export function decodeApplyHostResponse(data: Uint8Array): ApplyHostResponse {
  const [flag] = data;
  if (flag === undefined || flag > 1)
    throw new TerminalFormatError('host response', 'must begin with 0 or 1');
  return { reached: flag === 1, objects: decodeObjects(data.subarray(1)) };
}
