import { wipe } from '@tillbridge/wire/bytes.js';
import { deriveIccMasterKey } from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { simulatorKey } from '../../keys/simulator-keys.js';

/** The keys that the issuer wrote into one card (EMV Book 2 A1.4, option A). */
export interface CardKeys {
  /** Application cryptograms. */
  readonly ac: Uint8Array;
  /** Secure messaging, integrity. */
  readonly smi: Uint8Array;
}

/** Derives the keys of a card of the development issuer. */
export function deriveCardKeys(pan: string, psn: string): CardKeys {
  return { ac: derive('imkAc', pan, psn), smi: derive('imkSmi', pan, psn) };
}

function derive(name: 'imkAc' | 'imkSmi', pan: string, psn: string): Uint8Array {
  const imk = simulatorKey(name);
  try {
    return deriveIccMasterKey(imk, pan, psn, 'optionA');
  } finally {
    wipe(imk);
  }
}
