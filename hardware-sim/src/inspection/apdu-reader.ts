import { toHex } from '@tillbridge/wire/bytes.js';
import { type DescribedNode, describeTlvPartly, describeValue } from '@tillbridge/wire/emv/describe.js';
import { parseDol } from '@tillbridge/wire/emv/dol.js';
import { tagInfo } from '@tillbridge/wire/emv/tags.js';
import { decodeTlvPartly, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { ApduError, type CommandApdu, decodeCommand, decodeResponse, INS, SW } from '../cards/core/apdu.js';
import { swText } from '../kernel/kernel-error.js';

/** A command and its answer, as people read them; card data masked. */
export interface ReadApdu {
  /** Such as `READ RECORD 1 of file 2`. */
  readonly name: string;
  /** The status word in words. */
  readonly meaning: string;
  /** Data of the command by the card's list that requests them. */
  readonly sent: readonly DescribedNode[];
  readonly received: readonly DescribedNode[];
}

/** Lists of the card by the command whose data they name. */
type ListTag = '9F38' | '8C' | '8D' | '9F49';
const LISTS: readonly ListTag[] = ['9F38', '8C', '8D', '9F49'];
/** P1 of GENERATE AC: the requested cryptogram; a bit requests a signature. */
const REQUESTS: Readonly<Record<number, string>> = { 0: 'AAC', 64: 'TC', 128: 'ARQC' };
const REQUEST_MASK = 0xc0;
const SIGNED = 0x10;
const TRIES_LEFT = 0x63c0;

const MEANINGS: Readonly<Record<number, string>> = {
  [SW.ok]: 'OK',
  [SW.selectedFileInvalidated]: 'selected file is blocked',
  [SW.authenticationFailed]: 'authentication failed',
  [SW.memoryFailure]: 'memory failure',
  [SW.wrongLength]: 'wrong length',
  [SW.securityStatusNotSatisfied]: 'security status not satisfied',
  [SW.authenticationMethodBlocked]: 'PIN is blocked',
  [SW.referencedDataInvalidated]: 'referenced data are blocked',
  [SW.conditionsNotSatisfied]: 'conditions of use not satisfied',
  [SW.secureMessagingIncorrect]: 'secure messaging is wrong',
  [SW.wrongData]: 'wrong data',
  [SW.functionNotSupported]: 'function not supported',
  [SW.fileNotFound]: 'file not found',
  [SW.recordNotFound]: 'record not found',
  [SW.wrongParameters]: 'wrong parameters',
  [SW.referencedDataNotFound]: 'referenced data not found',
  [SW.instructionNotSupported]: 'instruction not supported',
  [SW.classNotSupported]: 'class not supported',
};

const NAMES: Readonly<Record<number, string>> = {
  [INS.applicationBlock]: 'APPLICATION BLOCK',
  [INS.applicationUnblock]: 'APPLICATION UNBLOCK',
  [INS.cardBlock]: 'CARD BLOCK',
  [INS.externalAuthenticate]: 'EXTERNAL AUTHENTICATE',
  [INS.getProcessingOptions]: 'GET PROCESSING OPTIONS',
  [INS.internalAuthenticate]: 'INTERNAL AUTHENTICATE',
  [INS.pinChangeUnblock]: 'PIN CHANGE/UNBLOCK',
  [INS.verify]: 'VERIFY plaintext PIN',
};

/** Whether the data of a command are a PIN. */
export function holdsPin(command: Uint8Array): boolean {
  return command[1] === INS.verify;
}

/** The meaning of a status word. */
function meaningOf(sw: number): string {
  if ((sw & 0xfff0) === TRIES_LEFT) return `wrong PIN, ${sw & 0x0f} tries left`;
  return MEANINGS[sw] ?? '';
}

/** Reads what a terminal and one card send to each other, in its order: the lists of the card name the data of later commands. */
export class ApduReader {
  readonly #lists = new Map<ListTag, Uint8Array>();
  #cryptograms = 0;

  read(command: Uint8Array, response: Uint8Array): ReadApdu {
    const apdu = parsed(() => decodeCommand(command));
    const answer = parsed(() => decodeResponse(response));
    const read = {
      name: apdu ? this.#name(apdu) : 'no command',
      meaning: answer ? meaningOf(answer.sw) : 'no answer',
      sent: apdu ? this.#sent(apdu) : [],
      received: answer ? describeTlvPartly(answer.data).nodes : [],
    };
    if (apdu?.ins === INS.generateAc) this.#cryptograms += 1;
    if (answer) this.#keepLists(answer.data);
    return read;
  }

  #name({ ins, p1, p2, data }: CommandApdu): string {
    switch (ins) {
      case INS.select:
        return `SELECT ${dfName(data)}`;
      case INS.readRecord:
        return `READ RECORD ${p1} of file ${p2 >>> 3}`;
      case INS.getData: {
        const tag = swText((p1 << 8) | p2);
        return `GET DATA ${tag} ${tagInfo(tag)?.name ?? ''}`.trimEnd();
      }
      case INS.generateAc: {
        const which = this.#cryptograms === 0 ? 'first' : 'second';
        const signed = (p1 & SIGNED) === 0 ? '' : ', signed';
        return `GENERATE AC (${which}) requests ${REQUESTS[p1 & REQUEST_MASK] ?? 'RFU'}${signed}`;
      }
      default:
        return NAMES[ins] ?? `instruction ${swText(ins).slice(2)}`;
    }
  }

  #sent({ ins, data }: CommandApdu): readonly DescribedNode[] {
    if (ins === INS.getProcessingOptions)
      return this.#byList('9F38', data.subarray((data[1] ?? 0) < 0x80 ? 2 : 3));
    if (ins === INS.generateAc) return this.#byList(this.#cryptograms === 0 ? '8C' : '8D', data);
    if (ins === INS.internalAuthenticate) return this.#byList('9F49', data);
    return [];
  }

  #byList(tag: ListTag, data: Uint8Array): readonly DescribedNode[] {
    const list = this.#lists.get(tag);
    if (list === undefined) return [];
    let at = 0;
    return parseDol(list).map(({ tag: name, length }) => {
      const value = data.subarray(at, at + length);
      at += length;
      return describeValue(name, value);
    });
  }

  #keepLists(data: Uint8Array): void {
    const { nodes } = decodeTlvPartly(data);
    for (const tag of LISTS) {
      const list = findTlv(nodes, tag);
      if (list && parsed(() => parseDol(list))) this.#lists.set(tag, list);
    }
  }
}

/** A name in characters, or the hex of an AID. */
function dfName(data: Uint8Array): string {
  const text = Buffer.from(data).toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text : toHex(data);
}

function parsed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApduError || (error instanceof Error && /^(Tlv|Dol)Error$/.test(error.name)))
      return undefined;
    throw error;
  }
}
