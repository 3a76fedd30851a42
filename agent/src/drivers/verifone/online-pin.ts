import { findTlv, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { encodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import {
  BYPASS_BY_ENTER,
  HOST_PROFILES,
  PIN_FORMAT_0,
  TAGS,
} from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { Enciphered, StartOutcome } from '../core/driver.js';
import { MAX_POS_FIELD_BYTES } from '../core/limits.js';
import { type Failed, failed, STOPPED_BY_TILL } from '../core/result.js';
import { closeProfile, openProfile } from './device.js';
import { PIN_GUARD_MS, PIN_TIMEOUT_SECONDS } from './limits.js';
import { ask, isFailed, mustAsk, statusFailure } from './replies.js';
import type { SdiClient } from './sdi-client.js';

/** PAN, track 2 and expiry, each as long as it is (length zero). */
const ACCOUNT_LIST = Buffer.from('5A0057005F2400', 'hex');

/** After these nobody knows where the device stands: the session begins anew, and with it every profile. */
const OUT_OF_STEP: ReadonlySet<string> = new Set(['terminal-silent', 'terminal-gone', 'protocol-error']);

/** Runs `work` with an open host profile, and closes it behind. */
async function withProfile<T>(
  client: SdiClient,
  profile: string,
  work: (handle: Buffer) => Promise<T | Failed>,
): Promise<T | Failed> {
  const handle = await openProfile(client, profile);
  if (!Buffer.isBuffer(handle)) return handle;
  const result = await work(handle);
  if (isFailure(result) && OUT_OF_STEP.has(result.failure)) return result;
  const closed = await closeProfile(client, handle);
  return closed ?? result;
}

function isFailure(value: unknown): value is Failed {
  return typeof value === 'object' && value !== null && 'failure' in value;
}

/** The account under the next data key (GET ENC DATA). */
export function encipherAccount(client: SdiClient): Promise<Enciphered | Failed> {
  return withProfile(client, HOST_PROFILES.accountData, async (handle) => {
    const data = encodeContainer([tlv(TAGS.cryptoHandle, handle), tlv(TAGS.tagList, ACCOUNT_LIST)]);
    const objects = await mustAsk(client, 'getEncData', { data });
    if (isFailed(objects)) return objects;
    const sred = pairOf(objects, TAGS.encryptedData, TAGS.encryptionKsn);
    if (!sred) return failed('protocol-error', 'GET ENC DATA: the enciphered data or their KSN are missing');
    if (sred.data.length <= MAX_POS_FIELD_BYTES) return sred;
    return failed('data-too-long', `card data of ${sred.data.length} bytes, at most ${MAX_POS_FIELD_BYTES}`);
  });
}

/** The block of the PIN that was entered last (GET ENCRYPTED PIN). */
export function fetchPinBlock(client: SdiClient): Promise<Enciphered | Failed> {
  return withProfile(client, HOST_PROFILES.pin, async (handle) => {
    const data = encodeContainer([
      tlv(TAGS.cryptoHandle, handle),
      tlv(TAGS.pinBlockFormat, Buffer.of(PIN_FORMAT_0)),
    ]);
    const objects = await mustAsk(client, 'getEncPin', { data });
    if (isFailed(objects)) return objects;
    const pin = pairOf(objects, TAGS.pinBlock, TAGS.pinKsn);
    return pin ?? failed('protocol-error', 'GET ENCRYPTED PIN: the block or its KSN is missing');
  });
}

function pairOf(objects: readonly TlvNode[], data: string, ksn: string): Enciphered | undefined {
  const [bytes, serial] = [findTlv(objects, data), findTlv(objects, ksn)];
  return bytes && serial && { data: bytes, ksn: serial };
}

/** How a PIN entry of its own ended. */
export type PinResult =
  | { readonly kind: 'pin'; readonly pin: Enciphered | undefined }
  | Extract<StartOutcome, { kind: 'cancelled' }>
  | Failed;

/** Asks for the PIN of a stripe or a tap (GET PIN). @param amount the objects 9F02 and 5F2A, for the display */
export async function askOnlinePin(
  client: SdiClient,
  amount: readonly TlvNode[],
  stopped: () => boolean,
): Promise<PinResult> {
  if (stopped()) return STOPPED_BY_TILL;
  const seconds = Buffer.alloc(2);
  seconds.writeUInt16BE(PIN_TIMEOUT_SECONDS);
  const data = encodeContainer([
    tlv(TAGS.timeoutSeconds, seconds),
    tlv(TAGS.pinBypass, Buffer.of(BYPASS_BY_ENTER)),
    ...amount,
  ]);
  const entry = await ask(client, 'getPin', { data, timeoutMs: PIN_GUARD_MS });
  if (entry.kind === 'failed') return entry;
  switch (entry.hint) {
    case 'ok': {
      // It says nothing beside its status: an answer that does is another command's.
      if (entry.objects.length > 0) return statusFailure('getPin', entry);
      const pin = await fetchPinBlock(client);
      return 'kind' in pin ? pin : { kind: 'pin', pin };
    }
    case 'bypassed':
      return { kind: 'pin', pin: undefined };
    case 'cancelled':
      return { kind: 'cancelled', by: 'cardholder' };
    case 'timed-out':
      return { kind: 'cancelled', by: 'timeout' };
    case 'aborted':
      return stopped() ? STOPPED_BY_TILL : statusFailure('getPin', entry);
    default:
      return statusFailure('getPin', entry);
  }
}
