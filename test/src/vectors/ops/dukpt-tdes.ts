import { toHex } from '@tillbridge/wire/bytes.js';
import { retailMac, tdesCmac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { tdesEncryptCbc, tdesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  advanceKsn,
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { encodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import type { Inputs, TopicOps } from './inputs.js';

/** Bytes of the MACs of ANSI X9.24-1 A.4. */
const MAC_BYTES = 4;

function transaction(inputs: Inputs): Readonly<Record<string, unknown>> {
  const ksn = inputs.hex('ksn');
  const ik = deriveInitialKey(inputs.hex('bdk'), ksn);
  const key = deriveTransactionKey(ik, ksn);
  const pinKey = workingKey(key, 'pin');
  const macRequestKey = workingKey(key, 'macRequest');
  const macResponseKey = workingKey(key, 'macResponse');
  const dataRequestKey = workingKey(key, 'dataRequest');
  const dataResponseKey = workingKey(key, 'dataResponse');
  const block = encodePinBlock({ format: 0, pin: inputs.text('pin'), pan: inputs.text('pan') });
  const macData = Buffer.from(inputs.optionalText('macDataAscii') ?? '', 'latin1');
  const mac = (macKey: Uint8Array) =>
    toHex(retailMac(macKey, macData, 'iso9797Method1').subarray(0, MAC_BYTES));
  const enciphered = (dataKey: Uint8Array) =>
    toHex(tdesEncryptCbc(dataKey, inputs.hex('iv'), inputs.hex('dataHex')));
  return {
    ik: toHex(ik),
    transactionKey: toHex(key),
    pinKey: toHex(pinKey),
    macRequestKey: toHex(macRequestKey),
    macResponseKey: toHex(macResponseKey),
    dataRequestKey: toHex(dataRequestKey),
    dataResponseKey: toHex(dataResponseKey),
    encryptedPinBlock: toHex(tdesEncryptEcb(pinKey, block)),
    macRequest: mac(macRequestKey),
    macResponse: mac(macResponseKey),
    cmacRequest: toHex(tdesCmac(macRequestKey, macData)),
    cmacResponse: toHex(tdesCmac(macResponseKey, macData)),
    encryptedRequest: enciphered(dataRequestKey),
    encryptedResponse: enciphered(dataResponseKey),
  };
}

/** ANSI X9.24-1. */
export const DUKPT_TDES_OPS: TopicOps = {
  transaction,
  advanceKsn: (inputs) => ({ nextKsn: toHex(advanceKsn(inputs.hex('ksn'))) }),
};
