import { arpcMethod1, arpcMethod2, verifyArqc } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import {
  atcDiversifier,
  commonSessionKey,
  deriveIccMasterKey,
} from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { decisionCsu } from '@tillbridge/wire/emv/bit-fields.js';

/** Tags of the cryptogram's input, ahead of the issuer data. */
export const CRYPTOGRAM_TAGS = [
  '9F02',
  '9F03',
  '9F1A',
  '95',
  '5F2A',
  '9A',
  '9C',
  '9F37',
  '82',
  '9F36',
] as const;

/** What the issuer reads from an authorization request. */
type RequestObjects = (tag: string) => Uint8Array | undefined;

function required(objects: RequestObjects, tag: string): Uint8Array {
  const value = objects(tag);
  if (value === undefined) throw new Error(`the request has no ${tag}`);
  return value;
}

function sessionKey(pan: string, objects: RequestObjects): Buffer {
  const iccKey = deriveIccMasterKey(developmentKey('imkAc'), pan, '01', 'optionA');
  return commonSessionKey(iccKey, atcDiversifier(required(objects, '9F36')));
}

/** CVN 18 covers all of tag 9F10, CVN 20 the card verification results in it. */
const isVisa = (iad: Uint8Array): boolean => iad[0] === 0x06 && iad[2] === 0x12;

/** Whether the request's cryptogram is the card's, as an issuer finds out. */
export function cryptogramIsTrue(pan: string, objects: RequestObjects): boolean {
  const iad = required(objects, '9F10');
  const covered = isVisa(iad) ? iad : iad.subarray(2, 8);
  const data = Buffer.concat([...CRYPTOGRAM_TAGS.map((tag) => required(objects, tag)), covered]);
  return verifyArqc(sessionKey(pan, objects), data, 'iso9797Method2', required(objects, '9F26'));
}

/** Tag 91 of an issuer that answers `responseCode`. */
export function issuerAuthenticationData(pan: string, objects: RequestObjects, responseCode: string): Buffer {
  const key = sessionKey(pan, objects);
  const arqc = required(objects, '9F26');
  const arc = Buffer.from(responseCode, 'latin1');
  if (!isVisa(required(objects, '9F10'))) return Buffer.concat([arpcMethod1(key, arqc, arc), arc]);
  const csu = decisionCsu(responseCode === '00');
  return Buffer.concat([arpcMethod2(key, arqc, csu), csu]);
}
