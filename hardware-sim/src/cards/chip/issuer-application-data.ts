import type { CryptogramType } from '@tillbridge/wire/emv/cid.js';

/** What the card reports to its issuer about itself, before it is coded in the scheme's card verification results. */
export interface CardVerificationFacts {
  readonly firstCryptogram: CryptogramType;
  /** Undefined while the first GENERATE AC is answered. */
  readonly secondCryptogram: CryptogramType | undefined;
  readonly offlinePin: 'not-performed' | 'successful' | 'failed';
  readonly pinTryCounter: number;
  readonly issuerAuthentication: 'not-performed' | 'successful' | 'failed';
  readonly unableToGoOnline: boolean;
  readonly lastOnlineNotCompleted: boolean;
  readonly offlineLimitExceeded: boolean;
  readonly scriptCommands: number;
  readonly scriptFailed: boolean;
}

/** AAC 00, TC 01, ARQC 10; 10 stands for "not requested" in the place of the second cryptogram. */
const CRYPTOGRAM_BITS: Readonly<Record<CryptogramType, number>> = { AAC: 0, TC: 1, ARQC: 2, RFU: 3 };
const NOT_REQUESTED = 2;
/** Derivation key index: the issuer's first key set. */
const DERIVATION_KEY_INDEX = 0x01;

function cryptogramByte(facts: CardVerificationFacts): number {
  const second =
    facts.secondCryptogram === undefined ? NOT_REQUESTED : CRYPTOGRAM_BITS[facts.secondCryptogram];
  return (second << 6) | (CRYPTOGRAM_BITS[facts.firstCryptogram] << 4);
}

const flag = (condition: boolean, mask: number): number => (condition ? mask : 0);

/** Visa's tag 9F10: length, key index, CVN 18 (hex 12), four bytes of card verification results. */
export function visaIssuerData(facts: CardVerificationFacts): Buffer {
  const cvr = [
    0x03,
    cryptogramByte(facts) |
      flag(facts.issuerAuthentication === 'failed', 0x08) |
      flag(facts.offlinePin !== 'not-performed', 0x04) |
      flag(facts.offlinePin === 'failed', 0x02) |
      flag(facts.unableToGoOnline, 0x01),
    flag(facts.lastOnlineNotCompleted, 0x80) |
      flag(facts.pinTryCounter === 0, 0x40) |
      flag(facts.offlineLimitExceeded, 0x20),
    (Math.min(facts.scriptCommands, 15) << 4) | flag(facts.scriptFailed, 0x08),
  ];
  return Buffer.from([0x06, DERIVATION_KEY_INDEX, 0x12, ...cvr]);
}

/** M/Chip's tag 9F10: key index, CVN 20 (hex 14), six bytes of card verification results, DAC, counters left empty. */
export function mchipIssuerData(facts: CardVerificationFacts): {
  readonly iad: Buffer;
  readonly cvr: Buffer;
} {
  const cvr = Buffer.from([
    cryptogramByte(facts) |
      flag(facts.offlinePin !== 'not-performed', 0x04) |
      flag(facts.offlinePin === 'successful', 0x01),
    flag(facts.issuerAuthentication === 'successful', 0x10),
    (Math.min(facts.scriptCommands, 15) << 4) | (facts.pinTryCounter & 0x0f),
    flag(facts.unableToGoOnline, 0x40) |
      flag(facts.offlinePin === 'not-performed', 0x20) |
      flag(facts.offlinePin === 'failed', 0x10) |
      flag(facts.pinTryCounter === 0, 0x08),
    flag(facts.offlineLimitExceeded, 0x80) |
      flag(facts.issuerAuthentication === 'failed', 0x04) |
      flag(facts.scriptCommands > 0, 0x02) |
      flag(facts.scriptFailed, 0x01),
    0x00,
  ]);
  const head = Buffer.from([DERIVATION_KEY_INDEX, 0x14]);
  return { iad: Buffer.concat([head, cvr, Buffer.alloc(2), Buffer.alloc(8)]), cvr };
}
