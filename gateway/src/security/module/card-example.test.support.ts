import { fromHex } from '@tillbridge/wire/bytes.js';
import { tdesEncryptCbc, tdesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  advanceKsn,
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { arqc } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import {
  atcDiversifier,
  commonSessionKey,
  deriveIccMasterKey,
} from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { DEVELOPMENT_PVKI, developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { cvv, icvv, pvv } from '@tillbridge/wire/crypto/pin/card-values.js';
import { encodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeTrack2Field } from '@tillbridge/wire/terminals/abecs/account-data.js';
import type { Enciphered } from '../../core/payments/rules/requests.js';

/** KSN of a terminal's first transaction. */
export const EXAMPLE_KSN = fromHex('FFFF9876543210E00001');

/** The key serial numbers of an example device, counter zero, by the digit of its terminal. */
export const exampleInitialKsn = (terminal: number, key: 'account' | 'pin' = 'account'): string =>
  `FFFF9876${key === 'pin' ? 'A4' : '54'}320${terminal}000000`;

const counters = new Map<string, Uint8Array>();

/** The KSN of the next transaction of an example device: none comes twice in a process. */
export function nextKsn(terminal = 1, key: 'account' | 'pin' = 'account'): Uint8Array {
  const initial = exampleInitialKsn(terminal, key);
  const next = advanceKsn(counters.get(initial) ?? fromHex(initial));
  counters.set(initial, next);
  return next;
}

const ZERO_IV = Buffer.alloc(8);

/** Track 2 equivalent data of a development card, `D` as separator. */
export function track2Of(pan: string, pin: string, expiry = '3112'): string {
  const verification = DEVELOPMENT_PVKI + pvv(developmentKey('pvk'), DEVELOPMENT_PVKI, pan, pin);
  return `${pan}D${expiry}201${verification}${icvv(developmentKey('cvk'), pan, expiry)}`;
}

/** As {@link track2Of}, on the magstripe of a card without a PIN. */
export function magstripeWithoutPin(pan: string, expiry = '3112'): string {
  return `${pan}D${expiry}10100000${cvv(developmentKey('cvk'), pan, expiry, '101')}`;
}

/** What a terminal of the development key set sends as account data (ABECS GTK method 51). */
export function encipheredTrack2(track2: string, ksn = nextKsn()): Enciphered {
  return encipheredAccount(encodeTrack2Field(track2).toEncipher, ksn);
}

/** Whole blocks of account data under a data key of the development key set. */
export function encipheredAccount(blocks: Uint8Array, ksn = nextKsn()): Enciphered {
  const key = workingKey(
    deriveTransactionKey(deriveInitialKey(developmentKey('bdkData'), ksn), ksn),
    'dataRequest',
  );
  return { ksn, data: tdesEncryptCbc(key, ZERO_IV, blocks) };
}

/** What a terminal of the development key set sends as online PIN. */
export function encipheredPin(pan: string, pin: string, ksn = nextKsn(1, 'pin')): Enciphered {
  const key = workingKey(deriveTransactionKey(deriveInitialKey(developmentKey('bdkPin'), ksn), ksn), 'pin');
  return { ksn, data: tdesEncryptEcb(key, encodePinBlock({ format: 0, pin, pan })) };
}

/** Application transaction counter of the examples. */
const EXAMPLE_ATC = '0042';

/** Elements under the cryptogram, tag and hex. */
const EXAMPLE_ELEMENTS: readonly (readonly [tag: string, hex: string])[] = [
  ['9F02', '000000001234'],
  ['9F03', '000000000000'],
  ['9F1A', '0276'],
  ['95', '0000008000'],
  ['5F2A', '0978'],
  ['9A', '261120'],
  ['9C', '00'],
  ['9F37', 'DEADBEEF'],
  ['82', '1800'],
  ['9F36', EXAMPLE_ATC],
];

const VISA_IAD = '06011203A00000';
const MCHIP_IAD = '0114A0000322000000000000000000000000';

/** What the chip of a development card sends. */
export interface ChipExample {
  readonly scheme: 'visa' | 'mchip';
  readonly pan: string;
  readonly psn?: string;
  readonly type?: 'ARQC' | 'TC' | 'AAC';
  /** Application transaction counter, four hex digits; default 0042. */
  readonly atc?: string;
  /** Day of the transaction, `YYMMDD`; default that of the examples. */
  readonly date?: string;
  /** Elements that the terminal sends other than the card signed them. */
  readonly changed?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
}

/** Session key of the example card for its cryptograms. */
export function exampleSessionKey(pan: string, psn = '01', atc = EXAMPLE_ATC): Buffer {
  const cardKey = deriveIccMasterKey(developmentKey('imkAc'), pan, psn, 'optionA');
  return commonSessionKey(cardKey, atcDiversifier(fromHex(atc)));
}

/** The elements with the counter and the day of the example. */
function elementsOf({ atc, date }: ChipExample): readonly (readonly [tag: string, hex: string])[] {
  const own: Readonly<Record<string, string | undefined>> = { '9F36': atc, '9A': date };
  return EXAMPLE_ELEMENTS.map(([tag, hex]) => [tag, own[tag] ?? hex]);
}

/** The cryptogram of the example card. */
export function exampleCryptogram(chip: ChipExample): Buffer {
  const { scheme, pan, psn, atc } = chip;
  const covered = scheme === 'visa' ? VISA_IAD : MCHIP_IAD.slice(4, 16);
  const data = fromHex(
    elementsOf(chip)
      .map(([, hex]) => hex)
      .join('') + covered,
  );
  return arqc(exampleSessionKey(pan, psn, atc), data, 'iso9797Method2');
}

/** The BER-TLV of `pos.iccDataRequest`. */
export function exampleIccData(chip: ChipExample): Buffer {
  const cid = { ARQC: '80', TC: '40', AAC: '00' }[chip.type ?? 'ARQC'];
  const objects: readonly (readonly [string, string])[] = [
    ...elementsOf(chip),
    ['9F26', exampleCryptogram(chip).toString('hex')],
    ['9F27', cid],
    ['9F10', chip.scheme === 'visa' ? VISA_IAD : MCHIP_IAD],
  ];
  const nodes: TlvNode[] = objects
    .filter(([tag]) => !chip.without?.includes(tag))
    .map(([tag, hex]) => tlv(tag, fromHex(chip.changed?.[tag] ?? hex)));
  return encodeTlv(nodes);
}
