import { wipe } from '@tillbridge/protocol/bytes.js';
import { verifyPvv } from '@tillbridge/protocol/crypto/card-values.js';
import { PIN_BLOCK_BYTES } from '@tillbridge/protocol/crypto/pin-block.js';
import { decipherPinBlock4With, PIN_BLOCK_4_BYTES } from '@tillbridge/protocol/crypto/pin-block-4.js';
import {
  decipherPin,
  encipherPin,
  isHostTranslationAllowed,
  type PinBlockProtection,
} from '@tillbridge/protocol/crypto/pin-translation.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { type DukptKeyRing, isAesKsn } from './dukpt-keys.js';
import { isTdes } from './key-rules.js';
import { type KeyInfo, type KeyStore, requireKey } from './key-store.js';
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
function zoneProtection({ algorithm }: KeyInfo, key: Uint8Array): PinBlockProtection {
  return isTdes(algorithm) ? { format: 0, cipher: 'tdes', key } : { format: 4, cipher: 'aes', key };
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
  const [from, to] = [
    isAesKsn(request.ksn) ? 4 : (request.format ?? 0),
    isTdes(zone.algorithm) ? 0 : 4,
  ] as const;
  if (!isHostTranslationAllowed(from, to))
    throw new SecurityModuleError('bad-data', `a PIN block of format ${from} may not become format ${to}`);
  const pin = terminalPin(deps, request);
  try {
    const pinBlock = keys.use(zone, (key) =>
      encipherPin(zoneProtection(zone, key), pin, request.pan, (length) => random.bytes(length)),
    );
    return { zoneKey: zone.scope, pinBlock };
  } finally {
    wipe(pin);
  }
}

/**
 * Whether the PIN has the card's verification value (PVV).
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function verifyPin({ keys }: PinDeps, { pin, pan, pvki, pvv }: VerifyPinRequest): boolean {
  const zone = requireKey(keys, 'zone-pin', pin.zoneKey);
  requireBytes(pin.pinBlock, isTdes(zone.algorithm) ? PIN_BLOCK_BYTES : PIN_BLOCK_4_BYTES);
  const pvk = requireKey(keys, 'pvk', `${pvki}:${pan}`);
  const digits = keys.use(zone, (zoneKey) => decipherPin(zoneProtection(zone, zoneKey), pin.pinBlock, pan));
  try {
    return keys.use(pvk, (key) => verifyPvv(key, pvki, pan, digits, pvv));
  } finally {
    wipe(digits);
  }
}
