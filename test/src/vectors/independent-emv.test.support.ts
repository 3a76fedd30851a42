import { createDecipheriv, createHash } from 'node:crypto';
import { tdes } from './independent.test.support.js';

// The issuer's side of EMV written a second time, as `independent.test.support.ts`.

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
const unhex = (text: string): Buffer => Buffer.from(text, 'hex');
const xor = (a: Uint8Array, b: Uint8Array): Buffer => Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));

function odd(key: Buffer): Buffer {
  return Buffer.from(
    key.map((byte) => {
      const ones = (byte >> 1).toString(2).replaceAll('0', '').length;
      return (byte & 0xfe) | (ones % 2 === 0 ? 1 : 0);
    }),
  );
}

/** The card's key: option A, or B where the number has more than 16 digits and B is wanted (EMV Book 2 A1.4). */
function iccKey(imk: Buffer, pan: string, psn: string, option: 'A' | 'B'): Buffer {
  let y = (pan + psn).slice(-16).padStart(16, '0');
  if (option === 'B' && pan.length > 16) {
    const digits = pan + psn;
    const digest = createHash('sha1')
      .update(unhex(digits.length % 2 === 0 ? digits : `0${digits}`))
      .digest('hex');
    const decimal = digest.replace(/[a-f]/g, '');
    const letters = digest
      .replace(/[0-9]/g, '')
      .replace(/[a-f]/g, (letter) => String(Number.parseInt(letter, 16) - 10));
    y = (decimal + letters).slice(0, 16);
  }
  const block = unhex(y);
  return odd(Buffer.concat([tdes(imk, block), tdes(imk, xor(block, Buffer.alloc(8, 0xff)))]));
}

/** The common session key (EMV Book 2 A1.3.1). */
function commonKey(key: Buffer, r: Buffer): Buffer {
  const half = (third: number): Buffer => Buffer.concat([r.subarray(0, 2), Buffer.of(third), r.subarray(3)]);
  return odd(Buffer.concat([tdes(key, half(0xf0)), tdes(key, half(0x0f))]));
}

function visaKey(key: Buffer, atc: Buffer): Buffer {
  const mask = (tail: Buffer): Buffer => Buffer.concat([Buffer.alloc(6), tail]);
  return odd(xor(key, Buffer.concat([mask(atc), mask(xor(atc, Buffer.alloc(2, 0xff)))])));
}

/** ISO/IEC 9797-1 algorithm 3 with padding method 2, block after block. */
function retail(key: Buffer, data: Buffer): Buffer {
  const left = Buffer.concat([key.subarray(0, 8), key.subarray(0, 8)]);
  const padded = Buffer.concat([data, Buffer.of(0x80), Buffer.alloc((8 - ((data.length + 1) % 8)) % 8)]);
  let state: Buffer = Buffer.alloc(8);
  for (let at = 0; at < padded.length; at += 8) state = tdes(left, xor(state, padded.subarray(at, at + 8)));
  const right = key.subarray(8);
  const back = createDecipheriv('des-ede3-ecb', Buffer.concat([right, right, right]), null);
  back.setAutoPadding(false);
  return tdes(left, Buffer.concat([back.update(state), back.final()]));
}

/** Check value of two bytes. */
function kcv2(key: Buffer): string {
  return hex(tdes(key, Buffer.alloc(8))).slice(0, 4);
}

/** What the issuer of one card makes of a transaction. */
export interface IssuerCase {
  readonly pan: string;
  readonly psn: string;
  readonly imkAc: Buffer;
  readonly imkSmi: Buffer;
  readonly imkSmc: Buffer;
  /** All that the cryptogram covers. */
  readonly acData: Buffer;
  readonly atc: Buffer;
  readonly un: Buffer;
  readonly header: Buffer;
  readonly newPin: string;
}

function keysOf({ imkAc, imkSmi, imkSmc, pan, psn }: IssuerCase, option: 'A' | 'B') {
  const [ac, smi, smc] = [imkAc, imkSmi, imkSmc].map((imk) => iccKey(imk, pan, psn, option));
  if (!ac || !smi || !smc) throw new Error('three keys');
  return { ac, smi, smc };
}

/** Visa 18: option B, common session key, ARPC method 2, Visa secure messaging. */
export function visaCvn18(input: IssuerCase, csu: Buffer): Readonly<Record<string, string>> {
  const { ac, smi, smc } = keysOf(input, 'B');
  const { atc, header, newPin } = input;
  const session = commonKey(ac, Buffer.concat([atc, Buffer.alloc(6)]));
  const arqc = retail(session, input.acData);
  const [integrity, confidentiality] = [visaKey(smi, atc), visaKey(smc, atc)];
  const pin = unhex(`0${newPin.length}${newPin}`.padEnd(16, 'F'));
  const block = xor(pin, Buffer.concat([Buffer.alloc(4), ac.subarray(4, 8)]));
  const clear = Buffer.concat([Buffer.of(8), block, Buffer.of(0x80), Buffer.alloc(6)]);
  const enciphered = Buffer.concat([
    tdes(confidentiality, clear.subarray(0, 8)),
    tdes(confidentiality, clear.subarray(8)),
  ]);
  const between = Buffer.concat([atc, arqc]);
  const command = Buffer.concat([unhex('8424000218'), enciphered]);
  const mac = retail(integrity, Buffer.concat([unhex('8424000218'), between, enciphered]));
  return {
    iccMkAcKcv: kcv2(ac),
    iccMkSmiKcv: kcv2(smi),
    iccMkSmcKcv: kcv2(smc),
    arqc: hex(arqc),
    arpc: hex(retail(session, Buffer.concat([arqc, csu])).subarray(0, 4)),
    commandMac: hex(retail(integrity, Buffer.concat([header, between]))),
    pinChangeCommand: hex(Buffer.concat([command, mac])),
  };
}

/** M/Chip 17: option A, session key over ATC and unpredictable number, ARPC method 1 under the card's key, common script keys. */
export function mastercardCvn17(input: IssuerCase, arc: Buffer): Readonly<Record<string, string>> {
  const { ac, smi, smc } = keysOf(input, 'A');
  const { atc, un, header, newPin } = input;
  const session = commonKey(ac, Buffer.concat([atc, Buffer.alloc(2), un]));
  const arqc = retail(session, input.acData);
  const [integrity, confidentiality] = [commonKey(smi, arqc), commonKey(smc, arqc)];
  const block = unhex(`2${newPin.length}${newPin}`.padEnd(16, 'F'));
  const enciphered = tdes(confidentiality, block);
  const mac = retail(integrity, Buffer.concat([unhex('8424000210'), enciphered]));
  return {
    iccMkAcKcv: kcv2(ac),
    iccMkSmiKcv: kcv2(smi),
    iccMkSmcKcv: kcv2(smc),
    arqc: hex(arqc),
    arpc: hex(tdes(ac, xor(arqc, Buffer.concat([arc, Buffer.alloc(6)])))),
    commandMac: hex(retail(integrity, header)),
    pinChangeCommand: hex(Buffer.concat([unhex('8424000210'), enciphered, mac])),
  };
}

/** CVC3 of five digits (option B key). */
export function cvc3(
  imk: Buffer,
  pan: string,
  psn: string,
  trackData: Buffer,
  un: Buffer,
  atc: Buffer,
): string {
  const key = iccKey(imk, pan, psn, 'B');
  const iv = retail(key, trackData).subarray(6);
  const result = tdes(key, Buffer.concat([iv, un, atc]));
  return String(result.readUInt16BE(6)).padStart(5, '0');
}
