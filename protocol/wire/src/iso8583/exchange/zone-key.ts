import { toHex } from '../../bytes.js';
import { Iso8583Error } from '../iso8583-error.js';

/** What a key that two parties share does: authenticates messages, or enciphers PINs. */
export type ZoneKeyUse = 'mac' | 'pin';

/**
 * A key in a key exchange. The use alone requests a new one; a check value confirms the key that was taken; a cryptogram
 * brings one.
 */
export interface ZoneKey {
  readonly use: ZoneKeyUse;
  /** Six hex digits. */
  readonly kcv?: string;
  /** The key as TDES blocks under the zone transport key. */
  readonly cryptogram?: Uint8Array;
}

/** The first byte: the letters `M` and `P`. */
const USES: Readonly<Record<string, ZoneKeyUse>> = { '4D': 'mac', '50': 'pin' };
const FORM = /^(4D|50)(?:([0-9A-F]{6})((?:[0-9A-F]{32}|[0-9A-F]{48})?))?$/;

/** A key as it stands in a message: use, check value, cryptogram, in uppercase hex. */
export function writeZoneKey({ use, kcv = '', cryptogram }: ZoneKey): string {
  const byte = use === 'mac' ? '4D' : '50';
  return `${byte}${kcv.toUpperCase()}${cryptogram ? toHex(cryptogram) : ''}`;
}

/** Reads the key field of a message. @throws Iso8583Error badField: no such form */
export function readZoneKey(text: string): ZoneKey {
  const [, byte = '', kcv, cryptogram = ''] = FORM.exec(text) ?? [];
  const use = USES[byte];
  if (use === undefined) throw new Iso8583Error('badField', 53, 'is no key of a zone');
  return {
    use,
    ...(kcv !== undefined && { kcv }),
    ...(cryptogram !== '' && { cryptogram: Buffer.from(cryptogram, 'hex') }),
  };
}
