import { createHash } from 'node:crypto';
import { tdesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { dolLength, parseDol } from '@tillbridge/wire/emv/dol.js';
import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { type CommandApdu, type ResponseApdu, SW } from '../core/apdu.js';
import { type ChipContext, transactionAtc } from '../core/card-session.js';
import { odaKey } from './development-authority.js';
import { signedDynamicData } from './signatures.js';

const DYNAMIC_NUMBER_BYTES = 8;
const NO_DATA = Buffer.alloc(0);

/** Tag 9F4C: another one for each transaction, from the card's own key and counter. */
function dynamicNumber(chip: ChipContext): Buffer {
  const atc = transactionAtc(chip);
  return tdesEncryptEcb(
    chip.keys.ac,
    Buffer.concat([atc, Buffer.alloc(DYNAMIC_NUMBER_BYTES - atc.length, 0x5a)]),
  );
}

function withLength(number: Buffer): Buffer {
  return Buffer.concat([Buffer.of(number.length), number]);
}

/** INTERNAL AUTHENTICATE (EMV Book 3 §6.5.9): a signature over the card's dynamic number and what the terminal sent. */
export function internalAuthenticate(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const { session, profile } = chip;
  const mayAsk = session.initiated && session.first === undefined;
  if (!mayAsk || profile.oda === undefined || profile.oda === 'sda')
    return { sw: SW.conditionsNotSatisfied, data: NO_DATA };
  if (command.p1 !== 0 || command.p2 !== 0) return { sw: SW.wrongParameters, data: NO_DATA };
  if (command.data.length !== ddolLength(chip)) return { sw: SW.wrongLength, data: NO_DATA };
  const signature = signedDynamicData(odaKey('icc'), withLength(dynamicNumber(chip)), command.data);
  return { sw: SW.ok, data: encodeTlv([tlv('80', signature)]) };
}

function ddolLength({ profile }: ChipContext): number {
  const ddol = profile.files.flatMap(({ records }) => findTlv(records.flat(), '9F49') ?? [])[0];
  return ddol === undefined ? 0 : dolLength(parseDol(ddol));
}

/** What a combined signature covers besides the card's dynamic number. */
interface CombinedInput {
  readonly cid: Uint8Array;
  readonly cryptogram: Uint8Array;
  /** The objects of the answer without the signature, in their order. */
  readonly answer: readonly TlvNode[];
}

/** Tag 9F4B of a GENERATE AC with CDA (EMV Book 2 §6.6.1). */
export function combinedSignature(chip: ChipContext, { cid, cryptogram, answer }: CombinedInput): Buffer {
  const { transactionInputs, terminalValues } = chip.session;
  const hash = createHash('sha1').update(Buffer.concat(transactionInputs)).update(encodeTlv(answer)).digest();
  const dynamicData = Buffer.concat([withLength(dynamicNumber(chip)), cid, cryptogram, hash]);
  return signedDynamicData(odaKey('icc'), dynamicData, terminalValues.get('9F37') ?? NO_DATA);
}
