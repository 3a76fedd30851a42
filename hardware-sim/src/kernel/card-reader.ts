import { decodeTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { decodeResponse, encodeCommand, type ResponseApdu } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { KernelError } from './kernel-error.js';

const NO_DATA = Buffer.alloc(0);

/** Sends one command and reads the answer. @throws CardCommunicationError when the card is gone */
export async function exchange(
  card: Card,
  command: { cla: number; ins: number; p1?: number; p2?: number; data?: Uint8Array },
): Promise<ResponseApdu> {
  const { cla, ins, p1 = 0, p2 = 0, data = NO_DATA } = command;
  return decodeResponse(await card.transmit(encodeCommand({ cla, ins, p1, p2, data })));
}

/** Powers the card. @throws KernelError card-mute */
export async function powerOn(card: Card): Promise<void> {
  if ((await card.reset()) === undefined) throw new KernelError('card-mute', 'no answer to reset');
}

/** Data objects of an answer. @throws KernelError card-data-invalid when they are no BER-TLV */
export function readObjects(data: Uint8Array, what: string): TlvNode[] {
  try {
    return decodeTlv(data);
  } catch {
    throw new KernelError('card-data-invalid', `${what} is not BER-TLV`);
  }
}

/** The primitives of nodes, templates opened, in the order of the card. */
export function primitives(
  nodes: readonly TlvNode[],
): { readonly tag: string; readonly value: Uint8Array }[] {
  return nodes.flatMap((node) => ('value' in node ? [node] : primitives(node.children)));
}
