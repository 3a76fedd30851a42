import { decodeTlv, findTlv } from './tlv.js';

/** Sequence number of a card that has none. */
const NONE = '00';

/**
 * Two digits: as the terminal sent it, or tag 5F34. Spec 2.3 allows more digits in front.
 * @throws TlvError where `iccData` is no BER-TLV
 */
export function panSequenceNumber(sent: string | undefined, iccData: Uint8Array): string {
  if (sent !== undefined) return sent.slice(-2).padStart(2, '0');
  const [byte] = findTlv(decodeTlv(iccData), '5F34') ?? [];
  return byte === undefined ? NONE : byte.toString(16).padStart(2, '0');
}
