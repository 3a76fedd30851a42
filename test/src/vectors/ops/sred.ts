import { toHex } from '@tillbridge/wire/bytes.js';
import {
  type AccountDataProfile,
  decipherAccountData,
  readAccountData,
} from '@tillbridge/wire/crypto/dukpt/account-data.js';
import { deriveAesInitialKey } from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { deriveInitialKey } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import type { Inputs, TopicOps } from './inputs.js';

function profile(inputs: Inputs): AccountDataProfile {
  return inputs.text('dukpt') === 'aes'
    ? {
        dukpt: 'aes',
        aesKey: inputs.text<NonNullable<AccountDataProfile['aesKey']>>('workingKey'),
        aesUsage: 'dataEncrypt',
        padding: 'iso9797Method2',
      }
    : { dukpt: 'tdes', tdesKey: 'dataRequest', padding: 'iso9797Method2' };
}

/** Enciphered account data. */
export const SRED_OPS: TopicOps = {
  decryptTlv: (inputs) => {
    const device = profile(inputs);
    const ksn = inputs.hex('ksn');
    const derive = device.dukpt === 'aes' ? deriveAesInitialKey : deriveInitialKey;
    const ik = derive(inputs.hex('bdk'), ksn);
    const clear = decipherAccountData(device, ik, ksn, inputs.hex('iv'), inputs.hex('ciphertext'));
    const data = readAccountData(clear);
    return {
      plaintextTlv: toHex(data.plaintext),
      pan: data.pan,
      track2: data.track2,
      expiryYYMM: data.expiry,
    };
  },
};
