import { INS, SW } from '@tillbridge/hardware-sim/cards/core/apdu.js';
import type { Card, VirtualCard } from '@tillbridge/hardware-sim/cards/core/card.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { type CryptogramType, cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';

/** The cryptograms of a card in one transaction. */
export interface CardTransaction {
  /** Name of the card. */
  readonly card: string;
  readonly first: CryptogramType;
  /** Absent for a tap, and for a chip without a second GENERATE AC. */
  second?: CryptogramType;
  readonly isTap: boolean;
}

/** Template 80 of GENERATE AC (EMV Book 3 §6.5.5.4): CID, ATC, cryptogram. */
const FLAT = { cid: 0, cryptogram: [3, 11] } as const;
const STATUS_BYTES = 2;

/** Stands between the cards and every terminal: sees which cryptograms the cards gave, whatever anybody makes of them. */
export class CardRecorder {
  readonly #transactions = new Map<string, CardTransaction>();

  /** The card with both chips recorded. */
  watch(card: VirtualCard): VirtualCard {
    const { name, contact, contactless } = card;
    return {
      ...card,
      ...(contact && { contact: this.#watched(name, contact, false) }),
      ...(contactless && { contactless: this.#watched(name, contactless, true) }),
    };
  }

  /** The transaction in which a card gave a cryptogram, hex; undefined when no card did. */
  transactionOf(cryptogram: string): CardTransaction | undefined {
    return this.#transactions.get(cryptogram);
  }

  #watched(name: string, chip: Card, isTap: boolean): Card {
    let current: CardTransaction | undefined;
    return {
      reset: () => chip.reset(),
      transmit: async (command) => {
        const answer = await chip.transmit(command);
        const ins = command[1];
        if (ins !== INS.getProcessingOptions && ins !== INS.generateAc) return answer;
        // A transaction begins with its processing options; a tap's cryptogram comes with them.
        if (ins === INS.getProcessingOptions) current = undefined;
        const given = cryptogramOf(answer, ins);
        if (!given) return answer;
        if (current) current.second = given.type;
        else current = { card: name, first: given.type, isTap };
        this.#transactions.set(given.cryptogram, current);
        return answer;
      },
    };
  }
}

/** Tag 9F26 of EMV data, hex; undefined where there is none. */
export function cryptogramIn(iccData: Uint8Array): string | undefined {
  const cryptogram = findTlv(decodeTlv(iccData), '9F26');
  return cryptogram && toHex(cryptogram);
}

function cryptogramOf(
  answer: Uint8Array,
  ins: number,
): { type: CryptogramType; cryptogram: string } | undefined {
  const end = answer.length - STATUS_BYTES;
  if (end <= 0 || ((answer[end] ?? 0) << 8) + (answer[end + 1] ?? 0) !== SW.ok) return undefined;
  const nodes = decodeTlv(answer.subarray(0, end));
  const flat = ins === INS.generateAc ? findTlv(nodes, '80') : undefined;
  const cid = flat ? flat[FLAT.cid] : findTlv(nodes, '9F27')?.[0];
  const cryptogram = flat ? flat.subarray(...FLAT.cryptogram) : findTlv(nodes, '9F26');
  if (cid === undefined || cryptogram === undefined) return undefined;
  return { type: cryptogramType(cid), cryptogram: toHex(cryptogram) };
}
