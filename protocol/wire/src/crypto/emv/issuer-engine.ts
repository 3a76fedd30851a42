import { createCipheriv } from 'node:crypto';
import { equalConstantTime, wipe } from '../../bytes.js';
import { EcbEncryptor } from '../ciphers/ecb-encryptor.js';
import { CryptoError } from '../ciphers/errors.js';
import { padForMac } from '../ciphers/padding.js';
import { DES_BLOCK_BYTES, expandTdesKey, withOddParity, ZERO_BLOCK } from '../ciphers/tdes.js';
import type { BlockOperation } from '../key-block/remote-key.js';
import type { CvnProfile, IssuerAnswer } from './cvn-profiles.js';
import { atcDiversifier, atcUnDiversifier, iccKeyInput, sessionKeyInput } from './emv-keys.js';

/** One transaction as the issuer sees it. */
interface IssuerTransaction {
  readonly profile: CvnProfile;
  readonly pan: string;
  readonly psn: string;
  /** Tag 9F36. */
  readonly atc: Uint8Array;
  /** Tag 9F37. */
  readonly un: Uint8Array;
  /** Input of the cryptogram, see `acData`. */
  readonly acData: Uint8Array;
}

/** What the issuer found and answers. */
interface IssuerResult {
  /** The cryptogram that the card should have sent. */
  readonly arqc: Buffer;
  readonly arpc: Buffer;
}

/**
 * An issuer master key for application cryptograms, ready for many cards: same results as the functions of `cvn-profiles`, with
 * every key schedule made once. No card key outlives its call.
 */
export class IssuerEngine {
  readonly #encrypt: BlockOperation;
  readonly #dispose: () => void;

  /**
   * @param imkAc 16 bytes, or the TDES encipherment of a master key that stays where it is
   * @throws CryptoError badKeyLength
   */
  constructor(imkAc: Uint8Array | BlockOperation) {
    if (typeof imkAc === 'function') {
      this.#encrypt = imkAc;
      this.#dispose = () => undefined;
      return;
    }
    if (imkAc.length !== 16) throw new CryptoError('badKeyLength', `${imkAc.length} bytes, expected 16`);
    const imk = EcbEncryptor.tdes(imkAc);
    this.#encrypt = (blocks) => imk.encrypt(blocks);
    this.#dispose = () => imk.dispose();
  }

  /**
   * The expected ARQC and, over the received one, the ARPC.
   * @param received the card's cryptogram; `undefined` to answer the expected one
   * @throws CryptoError badPan, badArgument
   */
  answer(transaction: IssuerTransaction, answer: IssuerAnswer, received?: Uint8Array): IssuerResult {
    const { profile } = transaction;
    const icc = this.#iccKey(transaction);
    const session = sessionKey(profile, icc, transaction);
    try {
      const arqc = session.mac(transaction.acData, profile.padding);
      const key = profile.arpcKey === 'iccMasterKey' ? icc : session;
      return { arqc, arpc: arpc(profile, key, received ?? arqc, answer) };
    } finally {
      icc.dispose();
      if (session !== icc) session.dispose();
    }
  }

  /** Whether the card's cryptogram is right, compared in constant time, and the answer to it. */
  verify(
    transaction: IssuerTransaction,
    answer: IssuerAnswer,
    received: Uint8Array,
  ): { readonly valid: boolean; readonly arpc: Buffer } {
    const { arqc, arpc: answered } = this.answer(transaction, answer, received);
    return { valid: equalConstantTime(arqc, received), arpc: answered };
  }

  /** Lets go of the master key. */
  dispose(): void {
    this.#dispose();
  }

  #iccKey({ profile, pan, psn }: IssuerTransaction): CardKey {
    return new CardKey(this.#encrypt(iccKeyInput(pan, psn, profile.iccMasterKey)));
  }
}

/** A double-length key of one card with its cipher, made at the first use. */
class CardKey {
  readonly #key: Buffer;
  #whole: EcbEncryptor | undefined;

  /** @param raw derived bytes; wiped here, the key has odd parity */
  constructor(raw: Buffer) {
    this.#key = withOddParity(raw);
    wipe(raw);
  }

  encrypt(blocks: Uint8Array): Buffer {
    this.#whole ??= EcbEncryptor.tdes(this.#key);
    return this.#whole.encrypt(blocks);
  }

  /** The retail MAC: single-length chaining of all but the last block, the whole key for the last. */
  mac(data: Uint8Array, padding: 'iso9797Method1' | 'iso9797Method2'): Buffer {
    const padded = padForMac(data, padding, DES_BLOCK_BYTES);
    const last = padded.length - DES_BLOCK_BYTES;
    const block = padded.subarray(last);
    if (last > 0) xorInto(block, this.#chained(padded.subarray(0, last)));
    return this.encrypt(block);
  }

  #chained(blocks: Uint8Array): Buffer {
    const left = expandTdesKey(this.#key.subarray(0, 8));
    const cipher = createCipheriv('des-ede3-cbc', left, ZERO_BLOCK);
    cipher.setAutoPadding(false);
    const chained = cipher.update(blocks);
    wipe(left);
    return chained.subarray(-DES_BLOCK_BYTES);
  }

  dispose(): void {
    this.#whole?.dispose();
    wipe(this.#key);
  }
}

function sessionKey(profile: CvnProfile, icc: CardKey, { atc, un }: IssuerTransaction): CardKey {
  if (profile.acSessionKey === 'none') return icc;
  const r = profile.acSessionKey === 'atc' ? atcDiversifier(atc) : atcUnDiversifier(atc, un);
  return new CardKey(icc.encrypt(sessionKeyInput(r)));
}

function arpc(profile: CvnProfile, key: CardKey, cryptogram: Uint8Array, answer: IssuerAnswer): Buffer {
  requireLength('ARQC', cryptogram, 8);
  if (profile.arpcMethod === 'method1') {
    const { arc } = answer;
    if (arc === undefined) throw new CryptoError('badArgument', 'ARPC method 1 needs the response code');
    requireLength('ARC', arc, 2);
    const block = Buffer.from(cryptogram);
    xorInto(block.subarray(0, 2), arc);
    return key.encrypt(block);
  }
  const { csu, proprietary = new Uint8Array() } = answer;
  if (csu === undefined) throw new CryptoError('badArgument', 'ARPC method 2 needs the card status update');
  requireLength('CSU', csu, 4);
  if (proprietary.length > 8)
    throw new CryptoError('badArgument', 'proprietary authentication data above 8 bytes');
  return key.mac(Buffer.concat([cryptogram, csu, proprietary]), 'iso9797Method2').subarray(0, 4);
}

function requireLength(name: string, value: Uint8Array, length: number): void {
  if (value.length !== length)
    throw new CryptoError('badArgument', `${name} has ${value.length} bytes, expected ${length}`);
}

function xorInto(target: Buffer, mask: Uint8Array): void {
  for (let i = 0; i < target.length; i += 1) target[i] = (target[i] ?? 0) ^ (mask[i] ?? 0);
}
