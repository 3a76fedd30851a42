import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import type { CardFacts, EntryMode } from './driver.js';

/** What a device leaves open of an account. */
export interface OpenAccount {
  /** Six digits. */
  readonly bin?: string;
  readonly last4Digits?: string;
  /** `YYMM`. */
  readonly expiry?: string;
}

function hex(objects: readonly TlvNode[], tag: string): string | undefined {
  const value = findTlv(objects, tag);
  return value && Buffer.from(value).toString('hex').toUpperCase();
}

function text(objects: readonly TlvNode[], tag: string): string | undefined {
  const value = findTlv(objects, tag);
  return value && Buffer.from(value).toString('latin1').replace(/\0+$/, '').trim();
}

/** What the agent may know of a card, out of the open account and the objects of its chip (5F24, 5F34, 9F24, 84, 4F, 50). */
export function cardFacts(
  entryMode: EntryMode,
  account: OpenAccount,
  objects: readonly TlvNode[],
): CardFacts {
  const { bin, last4Digits, expiry = hex(objects, '5F24')?.slice(0, 4) } = account;
  const panSequenceNumber = hex(objects, '5F34');
  const paymentAccountReference = text(objects, '9F24');
  const aid = hex(objects, '84') ?? hex(objects, '4F');
  const label = text(objects, '50');
  return {
    entryMode,
    ...(bin !== undefined && { bin }),
    ...(last4Digits !== undefined && { last4Digits }),
    ...(expiry !== undefined && { expiry }),
    ...(panSequenceNumber !== undefined && { panSequenceNumber }),
    ...(paymentAccountReference !== undefined && { paymentAccountReference }),
    ...(aid !== undefined && { aid }),
    ...(label !== undefined && { label }),
  };
}
