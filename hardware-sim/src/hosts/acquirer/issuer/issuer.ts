import { withSecret } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import {
  answerCryptogram,
  type CardCryptogram,
  readCardCryptogram,
} from '@tillbridge/wire/crypto/emv/card-cryptogram.js';
import { deriveIccMasterKey } from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { IssuerEngine } from '@tillbridge/wire/crypto/emv/issuer-engine.js';
import { scriptSessionKey } from '@tillbridge/wire/crypto/emv/issuer-scripts.js';
import { digitsEqual, pvv } from '@tillbridge/wire/crypto/pin/card-values.js';
import { panSequenceNumber } from '@tillbridge/wire/emv/pan-sequence-number.js';
import { decodeTlv, encodeTlv, TlvError, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { isExpired } from '@tillbridge/wire/payment/expiry.js';
import {
  behaviourOf,
  decideAmount,
  pinVerificationValues,
  withWrongArpc,
} from '@tillbridge/wire/simulated-issuer/issuer-rules.js';
import { simulatorKey } from '../../../keys/simulator-keys.js';
import type { HostKeys } from '../keys/host-keys.js';
import type { CardRow } from '../rows/tables.js';

/** Tries of an online PIN until its issuer refuses every one. */
export const PIN_TRIES = 3;

/** Commands that an issuer sends to a card. */
export type ScriptName = 'pin-unblock' | 'application-block';

/** Instructions of the commands (EMV Book 3 §6.5.1, §6.5.10). */
const SCRIPT_INSTRUCTIONS: Readonly<Record<ScriptName, number>> = {
  'pin-unblock': 0x24,
  'application-block': 0x1e,
};

/** The issuer's verdict on card and cardholder, without the balance of the account. */
export interface IssuerVerdict {
  /** `00`, `10` for a part, or why not. */
  readonly responseCode: string;
  /** A cryptogram of the card came, and it is true. */
  readonly hasCryptogram: boolean;
  readonly card: CardRow;
  /** Data for the card with the final response code, as hex; undefined where it gets none. */
  readonly iccData: (responseCode: string) => string | undefined;
}

/** Rules for the issuer in addition to the message. */
export interface IssuerRules {
  /** A response code in place of the issuer's own. */
  readonly responseCode?: string | undefined;
  readonly script?: ScriptName | undefined;
}

/** The bank that issued every card: checks cryptogram, PIN, expiry and the card's row. It has its own keys. */
export class HostIssuer {
  readonly #engine: IssuerEngine;
  readonly #keys: Pick<HostKeys, 'pin'>;

  constructor(keys: Pick<HostKeys, 'pin'>) {
    this.#keys = keys;
    this.#engine = withSecret(simulatorKey('imkAc'), (key) => new IssuerEngine(key));
  }

  /** The verdict on a message. */
  judge(message: ExchangeMessage, card: CardRow, rules: IssuerRules, nowMs: number): IssuerVerdict {
    const { pan = '' } = message;
    if (!passesLuhn(pan)) return { responseCode: '14', hasCryptogram: false, card, iccData: () => undefined };
    const behaviour = behaviourOf(pan);
    const cryptogram = this.#readCryptogram(message);
    const isForged = cryptogram === 'invalid';
    const checked = isForged ? card : this.#withPin(message, card);
    const responseCode =
      rules.responseCode ??
      (isForged ? '63' : this.#responseCode(message, checked, behaviour, card.pinTriesLeft, nowMs));
    const read = typeof cryptogram === 'object' ? cryptogram : undefined;
    return {
      responseCode,
      hasCryptogram: read !== undefined,
      card: read ? { ...checked, lastAtc: Math.max(checked.lastAtc, atcOf(read)) } : checked,
      iccData: (responseCode) => {
        if (read === undefined || message.isAdvice) return undefined;
        const answer = this.#answer(message, read, responseCode);
        if (answer === undefined) return undefined;
        const data = behaviour.kind === 'bad-arpc' ? withWrongArpc(answer) : answer;
        const script = rules.script === undefined ? [] : [scriptOf(message, read, rules.script)];
        return Buffer.concat([data, ...script])
          .toString('hex')
          .toUpperCase();
      },
    };
  }

  #responseCode(
    message: ExchangeMessage,
    checked: CardRow,
    behaviour: ReturnType<typeof behaviourOf>,
    triesBefore: number,
    nowMs: number,
  ): string {
    const { expiry, amount, isAdvice, approvalCode, partialAllowed } = message;
    if (behaviour.kind === 'decline') return behaviour.responseCode;
    if (expiry !== undefined && isExpired(expiryOf(expiry), nowMs)) return '54';
    if (message.pinBlock !== undefined && !isAdvice) {
      if (triesBefore === 0) return '75';
      if (checked.pinTriesLeft < PIN_TRIES) return checked.pinTriesLeft === 0 ? '75' : '55';
    }
    const requested = amount ?? { minor: 0, currency: 'XXX' };
    return decideAmount({ amount: requested, isAdvice: isAdvice, partialAllowed, approvalCode }, behaviour);
  }

  /** The card after its online PIN was tried: a right one gives all tries back, none left takes no more. */
  #withPin(message: ExchangeMessage, card: CardRow): CardRow {
    if (message.pinBlock === undefined || message.isAdvice || card.pinTriesLeft === 0) return card;
    return { ...card, pinTriesLeft: this.#isPinRight(message) ? PIN_TRIES : card.pinTriesLeft - 1 };
  }

  #isPinRight({ pinBlock = '', pan = '', track2 = '' }: ExchangeMessage): boolean {
    const values = pinVerificationValues(track2);
    const pin = values && this.#keys.pin(Buffer.from(pinBlock, 'hex'), pan);
    if (!values || !pin) return false;
    return withSecret(pin, () =>
      withSecret(simulatorKey('pvk'), (pvk) => digitsEqual(pvv(pvk, values.pvki, pan, pin), values.pvv)),
    );
  }

  #readCryptogram({ iccData, pan = '', cardSequence, isAdvice }: ExchangeMessage) {
    if (iccData === undefined) return undefined;
    try {
      const bytes = Buffer.from(iccData, 'hex');
      const elements = decodeTlv(bytes);
      // A stand-in has the cryptogram of the card's online request.
      const certificate = isAdvice ? readCardCryptogram(elements, 'TC') : 'no advice';
      const read = typeof certificate === 'string' ? readCardCryptogram(elements, 'ARQC') : certificate;
      if (typeof read === 'string') return 'invalid' as const;
      const sequence = panSequenceNumber(cardSequence, bytes);
      const answer = answerCryptogram(
        this.#engine,
        { pan, panSequenceNumber: sequence, responseCode: '00' },
        read,
      );
      return answer === undefined ? ('invalid' as const) : read;
    } catch (error) {
      if (error instanceof TlvError || error instanceof CryptoError) return 'invalid' as const;
      throw error;
    }
  }

  #answer(
    { pan = '', cardSequence, iccData = '' }: ExchangeMessage,
    cryptogram: CardCryptogram,
    responseCode: string,
  ): Buffer | undefined {
    const sequence = panSequenceNumber(cardSequence, Buffer.from(iccData, 'hex'));
    return answerCryptogram(this.#engine, { pan, panSequenceNumber: sequence, responseCode }, cryptogram);
  }
}

function expiryOf(expiry: string) {
  return { expiryYear: `20${expiry.slice(0, 2)}`, expiryMonth: expiry.slice(2) };
}

function atcOf({ atc }: CardCryptogram): number {
  return Buffer.from(atc).readUInt16BE(0);
}

const SECURE_CLA = 0x84;
const MAC_BYTES = 8;

/** Template 72 with one command, its code under the card's script key (EMV Book 2 §9.2). */
function scriptOf(
  { pan = '', cardSequence, iccData = '' }: ExchangeMessage,
  { atc, cryptogram, profile }: CardCryptogram,
  name: ScriptName,
): Buffer {
  const header = Buffer.from([SECURE_CLA, SCRIPT_INSTRUCTIONS[name], 0, 0, MAC_BYTES]);
  const sequence = panSequenceNumber(cardSequence, Buffer.from(iccData, 'hex'));
  const isVisa = profile.name.startsWith('visa');
  const mac = withSecret(simulatorKey('imkSmi'), (imk) =>
    withSecret(deriveIccMasterKey(imk, pan, sequence, 'optionA'), (card) =>
      withSecret(
        isVisa
          ? scriptSessionKey('visaSecureMessaging', card, atc)
          : scriptSessionKey('emvCommonSessionKey', card, cryptogram),
        (key) => retailMac(key, Buffer.concat([header, atc, cryptogram]), 'iso9797Method2'),
      ),
    ),
  );
  return encodeTlv([
    { tag: '72', children: [tlv('9F18', Buffer.alloc(4)), tlv('86', Buffer.concat([header, mac]))] },
  ]);
}
