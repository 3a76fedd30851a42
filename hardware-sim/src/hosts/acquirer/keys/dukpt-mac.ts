import { equalConstantTime, fromHex, withSecret } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { aesCmac, retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import {
  AES_KSN_BYTES,
  aesKeyType,
  aesWorkingKey,
  deriveAesInitialKey,
  deriveAesTransactionKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { simulatorKey } from '../../../keys/simulator-keys.js';

/** The fields of a message that identify the key of its MAC. */
export type MacKey = Pick<ExchangeMessage, 'macKsn' | 'isResponse'>;

/** The code of a message under the key of its key serial number, whole. @throws CryptoError badKsn, badCounter */
export function dukptMac(covered: Uint8Array, { macKsn = '', isResponse }: MacKey): Buffer {
  const ksn = fromHex(macKsn);
  return ksn.length === AES_KSN_BYTES ? aesMac(covered, ksn, isResponse) : tdesMac(covered, ksn, isResponse);
}

function aesMac(covered: Uint8Array, ksn: Buffer, isResponse: boolean): Buffer {
  const usage = isResponse ? 'macVerification' : 'macGeneration';
  return withSecret(simulatorKey('bdkMacAes'), (bdk) =>
    withSecret(deriveAesInitialKey(bdk, ksn), (initial) =>
      withSecret(deriveAesTransactionKey(initial, ksn), (transaction) =>
        withSecret(aesWorkingKey(transaction, ksn, usage, aesKeyType(bdk)), (key) => aesCmac(key, covered)),
      ),
    ),
  );
}

function tdesMac(covered: Uint8Array, ksn: Buffer, isResponse: boolean): Buffer {
  return withSecret(simulatorKey('bdkMac'), (bdk) =>
    withSecret(deriveInitialKey(bdk, ksn), (initial) =>
      withSecret(deriveTransactionKey(initial, ksn), (transaction) =>
        withSecret(workingKey(transaction, isResponse ? 'macResponse' : 'macRequest'), (key) =>
          retailMac(key, covered, 'iso9797Method1'),
        ),
      ),
    ),
  );
}

/** Whether a code is right, in constant time; a number without a key has none. */
export function isDukptMac(covered: Uint8Array, mac: Uint8Array, message: MacKey): boolean {
  try {
    return equalConstantTime(dukptMac(covered, message).subarray(0, mac.length), mac);
  } catch (error) {
    if (error instanceof CryptoError) return false;
    throw error;
  }
}
