import { wipe } from '@tillbridge/protocol/bytes.js';
import { verifyPvv } from '@tillbridge/protocol/crypto/card-values.js';
import { decodePinBlock, encodePinBlock, PIN_BLOCK_BYTES } from '@tillbridge/protocol/crypto/pin-block.js';
import { tdesDecryptEcb, tdesEncryptEcb } from '@tillbridge/protocol/crypto/tdes.js';
import { withDukptKey } from './dukpt-keys.js';
import { type KeyStore, requireKey } from './key-store.js';
import {
  SecurityModuleError,
  type TranslatedPin,
  type TranslatePinRequest,
  type VerifyPinRequest,
} from './security-module.js';

/**
 * Opens an ISO 9564 format 0 block and hands the PIN to one operation: the only place where it stands in clear. It is wiped on the way out.
 * @throws CryptoError when it is no PIN block: wrong key, wrong PAN or changed
 */
function withClearPin<T>(
  key: Uint8Array,
  enciphered: Uint8Array,
  pan: string,
  operation: (pin: Uint8Array) => T,
): T {
  const clear = tdesDecryptEcb(key, enciphered);
  let pin: Buffer | undefined;
  try {
    pin = decodePinBlock(0, clear, pan);
    return operation(pin);
  } finally {
    wipe(clear);
    if (pin) wipe(pin);
  }
}

function requirePinBlock(block: Uint8Array): void {
  if (block.length !== PIN_BLOCK_BYTES)
    throw new SecurityModuleError('bad-data', `the PIN block has ${block.length} bytes, expected 8`);
}

/**
 * From the terminal's DUKPT key to a zone key. Format and PAN stay, which the standard allows; the block is opened all the same, so
 * that nothing but a well-formed PIN block is ever enciphered for the acquirer.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function translatePin(store: KeyStore, request: TranslatePinRequest): TranslatedPin {
  requirePinBlock(request.pinBlock);
  const zone = requireKey(store, 'zone-pin', request.zone ?? 'INTERNAL');
  const pinBlock = withDukptKey(store, 'bdk-pin', request.ksn, 'pin', (key) =>
    withClearPin(key, request.pinBlock, request.pan, (pin) => {
      const clear = encodePinBlock({ format: 0, pin, pan: request.pan });
      try {
        return store.use(zone, (zoneKey) => tdesEncryptEcb(zoneKey, clear));
      } finally {
        wipe(clear);
      }
    }),
  );
  return { zoneKey: zone.scope, pinBlock };
}

/**
 * Whether the PIN has the card's verification value (PVV).
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function verifyPin(store: KeyStore, request: VerifyPinRequest): boolean {
  requirePinBlock(request.pin.pinBlock);
  const { pan, pvki, pvv } = request;
  const zone = requireKey(store, 'zone-pin', request.pin.zoneKey);
  const pvk = requireKey(store, 'pvk', `${pvki}:${pan}`);
  return store.use(zone, (zoneKey) =>
    withClearPin(zoneKey, request.pin.pinBlock, pan, (pin) =>
      store.use(pvk, (key) => verifyPvv(key, pvki, pan, pin, pvv)),
    ),
  );
}
