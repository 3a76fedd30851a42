import { withSecret } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { digitsEqual, pvvWith } from '@tillbridge/wire/crypto/pin/card-values.js';
import { ibm3624OffsetWith } from '@tillbridge/wire/crypto/pin/ibm3624.js';
import { PIN_BLOCK_BYTES } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { decipherPinBlock4With, PIN_BLOCK_4_BYTES } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import {
  decipherPin,
  decipherPinWith,
  encipherPinWith,
  isHostTranslationAllowed,
} from '@tillbridge/wire/crypto/pin/pin-translation.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { isTdes } from '../keys/key-rules.js';
import { type KeyInfo, type KeyStore, KeyStoreError, requireKey, underFirst } from '../keys/key-store.js';
import { type DukptKeyRing, isAesKsn } from './dukpt-keys.js';
import {
  SecurityModuleError,
  type TranslatedPin,
  type TranslatePinRequest,
  type VerifyPinRequest,
} from './security-module.js';

/** What PIN operations work with. */
export interface PinDeps {
  readonly keys: KeyStore;
  readonly dukpt: DukptKeyRing;
  readonly random: Random;
}

/** A TDES key carries format 0 between hosts, an AES key format 4. */
function zoneFormat({ algorithm }: KeyInfo): 0 | 4 {
  return isTdes(algorithm) ? 0 : 4;
}

function requireBytes(block: Uint8Array, bytes: number): void {
  if (block.length !== bytes)
    throw new SecurityModuleError('bad-data', `the PIN block has ${block.length} bytes, expected ${bytes}`);
}

/** The terminal's PIN in clear as ASCII digits; the caller wipes it. */
function terminalPin({ dukpt }: PinDeps, request: TranslatePinRequest): Buffer {
  const { ksn, pinBlock, pan, format = 0 } = request;
  if (isAesKsn(ksn)) {
    requireBytes(pinBlock, PIN_BLOCK_4_BYTES);
    return dukpt.withAesKey('bdk-pin', ksn, { usage: 'pin', type: 'likeBaseKey' }, (cipher) =>
      decipherPinBlock4With((block) => cipher.decryptBlock(block), pinBlock, pan),
    );
  }
  requireBytes(pinBlock, PIN_BLOCK_BYTES);
  return dukpt.withTdesKey('bdk-pin', ksn, 'pin', (key) =>
    decipherPin({ format, cipher: 'tdes', key }, pinBlock, pan),
  );
}

/**
 * From the terminal's DUKPT key to a zone key. The block is opened on the way also where its format stays, so that nothing but a well-formed
 * PIN block is ever enciphered for the acquirer.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function translatePin(deps: PinDeps, request: TranslatePinRequest): TranslatedPin {
  const { keys, random } = deps;
  const zone = requireKey(keys, 'zone-pin', request.zone ?? 'INTERNAL');
  const [from, to] = [isAesKsn(request.ksn) ? 4 : (request.format ?? 0), zoneFormat(zone)] as const;
  if (!isHostTranslationAllowed(from, to))
    throw new SecurityModuleError('bad-data', `a PIN block of format ${from} may not become format ${to}`);
  const pinBlock = withSecret(terminalPin(deps, request), (pin) =>
    keys.operate(zone, (key) =>
      encipherPinWith(to, key.encrypt, pin, request.pan, (length) => random.bytes(length)),
    ),
  );
  return { zoneKey: zone.scope, zoneKcv: zone.kcv, pinBlock };
}

/**
 * Whether the PIN is the one that the issuer's stored value belongs to.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function verifyPin(deps: PinDeps, request: VerifyPinRequest): boolean {
  const { keys } = deps;
  const { pan } = request;
  const subject = 'pvv' in request ? `${request.pvki}:${pan}` : pan;
  const pvk = requireKey(keys, 'pvv' in request ? 'pvk' : 'pvk-ibm', subject);
  return withSecret(zonePin(keys, request), (pin) =>
    keys.operate(pvk, ({ encrypt }) =>
      'pvv' in request
        ? digitsEqual(pvvWith(encrypt, request.pvki, pan, pin), request.pvv)
        : digitsEqual(ibm3624OffsetWith(encrypt, request.ibm3624, pan, pin), request.offset),
    ),
  );
}

/**
 * The PIN out of its block under a zone key, as ASCII digits; the caller wipes it. Where the block does not say which key it is under, the key
 * in place is tried first, then those that it took the place of.
 */
function zonePin(keys: KeyStore, { pin, pan }: Pick<VerifyPinRequest, 'pin' | 'pan'>): Buffer {
  const current = requireKey(keys, 'zone-pin', pin.zoneKey);
  const known = [current, ...keys.predecessors(current)];
  const named = known.filter(({ kcv }) => pin.zoneKcv === undefined || kcv === pin.zoneKcv);
  if (named.length === 0)
    throw new KeyStoreError('noKey', `zone-pin ${pin.zoneKey} with check value ${pin.zoneKcv}`);
  return underFirst(
    named,
    (error) => error instanceof CryptoError,
    (zone) => {
      const format = zoneFormat(zone);
      requireBytes(pin.pinBlock, format === 0 ? PIN_BLOCK_BYTES : PIN_BLOCK_4_BYTES);
      return keys.operate(zone, ({ decrypt }) => decipherPinWith(format, decrypt, pin.pinBlock, pan));
    },
  );
}
