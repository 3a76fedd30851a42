import type { CardData, CardFacts } from '@tillbridge/agent/drivers/core/driver.js';
import { MASKED } from '@tillbridge/agent/incident/masked-data.js';
import type { AnswerEmv } from '@tillbridge/agent/sale/machine/state/answer.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';

/** Cryptogram information data by the type of cryptogram (EMV Book 3 table 15). */
const CID: Readonly<Record<string, number>> = { AAC: 0x00, TC: 0x40, ARQC: 0x80, RFU: 0xc0 };
/** In the place of a cryptogram, which the file does not carry: no rule of the agent looks at it. */
const ANY_CRYPTOGRAM = '0000000000000000';
/** Card transaction qualifiers of a tap whose holder was verified by their own device (VCPS): no row has them. */
const DEVICE_VERIFIED = '0080';

/** The data of a cryptogram, rebuilt of what a row has of them. */
export function iccDataOf(emv: AnswerEmv = {}, facts?: CardFacts): Uint8Array {
  const { aid, tvr, tsi, ac, acType, atc, cvm, arc } = emv;
  const nodes: TlvNode[] = [];
  const add = (tag: string, hex: string | undefined): void => {
    if (hex !== undefined) nodes.push(tlv(tag, fromHex(hex)));
  };
  if (facts?.aid === undefined) add('84', aid);
  add('95', tvr);
  add('9B', tsi);
  add('9F26', ac === MASKED ? ANY_CRYPTOGRAM : ac);
  const cid = acType === undefined ? undefined : CID[acType];
  if (cid !== undefined) nodes.push(tlv('9F27', Uint8Array.of(cid)));
  add('9F36', atc);
  add('9F34', cvm);
  if (arc !== undefined) nodes.push(tlv('8A', Buffer.from(arc, 'latin1')));
  return encodeTlv(nodes);
}

/** The cards that may have given what a row has: a tap with and without a holder that was verified by their device. */
export function cardsOf(facts: CardFacts, emv?: AnswerEmv): readonly CardData[] {
  const iccData = iccDataOf(emv, facts);
  const card = { facts, iccData };
  if (facts.entryMode !== 'NFC_ICC') return [card];
  const qualifiers = encodeTlv([tlv('9F6C', fromHex(DEVICE_VERIFIED))]);
  return [{ facts, iccData: Buffer.concat([iccData, qualifiers]) }, card];
}
