import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import {
  BYPASS_BY_ENTER,
  HOST_PROFILES,
  PIN_FORMAT_0,
  TAGS,
} from '@tillbridge/wire/terminals/verifone/tags.js';
import { enciphered, type PinEntry } from '../core/card-data.js';
import type { Enciphered } from '../core/driver.js';
import { andThen, failed, isFailed, type Result, STOPPED_BY_TILL } from '../core/result.js';
import { closeProfile, openProfile } from './device.js';
import { PIN_GUARD_MS, PIN_TIMEOUT_SECONDS } from './limits.js';
import type { SdiLink } from './link.js';
import { ask, mustAsk, waitEnd } from './replies.js';

/** PAN, track 2 and expiry, each as long as it is (length zero). */
const ACCOUNT_LIST = Buffer.from('5A0057005F2400', 'hex');

/** After these failures the state of the device is unknown: a new session closes every profile. */
const OUT_OF_STEP: ReadonlySet<string> = new Set(['terminal-silent', 'terminal-gone', 'protocol-error']);

/** Runs `work` with an open host profile, and closes it behind. */
async function withProfile<T>(
  link: SdiLink,
  profile: string,
  work: (handle: Buffer) => Promise<Result<T>>,
): Promise<Result<T>> {
  const handle = await openProfile(link, profile);
  if (isFailed(handle)) return handle;
  const result = await work(handle);
  if (isFailed(result) && OUT_OF_STEP.has(result.failure)) return result;
  return (await closeProfile(link, handle)) ?? result;
}

/** The account under the next data key (GET ENC DATA). */
export function encipherAccount(link: SdiLink): Promise<Result<Enciphered>> {
  return withProfile(link, HOST_PROFILES.accountData, async (handle) => {
    const data = encodeContainer([tlv(TAGS.cryptoHandle, handle), tlv(TAGS.tagList, ACCOUNT_LIST)]);
    return andThen(
      await mustAsk(link, 'getEncData', { data }),
      (objects) =>
        enciphered(objects, TAGS.encryptedData, TAGS.encryptionKsn) ??
        failed('protocol-error', 'GET ENC DATA: the enciphered data or their KSN are missing'),
    );
  });
}

/** The block of the PIN that was entered last (GET ENCRYPTED PIN). */
export function fetchPinBlock(link: SdiLink): Promise<Result<Enciphered>> {
  return withProfile(link, HOST_PROFILES.pin, async (handle) => {
    const data = encodeContainer([
      tlv(TAGS.cryptoHandle, handle),
      tlv(TAGS.pinBlockFormat, Buffer.of(PIN_FORMAT_0)),
    ]);
    return andThen(
      await mustAsk(link, 'getEncPin', { data }),
      (objects) =>
        enciphered(objects, TAGS.pinBlock, TAGS.pinKsn) ??
        failed('protocol-error', 'GET ENCRYPTED PIN: the block or its KSN is missing'),
    );
  });
}

/** Prompts for the PIN of a magnetic stripe or a tap (GET PIN). @param amount the objects 9F02 and 5F2A, for the display */
export async function askOnlinePin(
  link: SdiLink,
  amount: readonly TlvNode[],
  stopped: () => boolean,
): Promise<PinEntry> {
  if (stopped()) return STOPPED_BY_TILL;
  const seconds = Buffer.alloc(2);
  seconds.writeUInt16BE(PIN_TIMEOUT_SECONDS);
  const data = encodeContainer([
    tlv(TAGS.timeoutSeconds, seconds),
    tlv(TAGS.pinBypass, Buffer.of(BYPASS_BY_ENTER)),
    ...amount,
  ]);
  const entry = await ask(link, 'getPin', { data, timeoutMs: PIN_GUARD_MS });
  if (isFailed(entry)) return entry;
  // Its answer has no objects: one that has some is the answer to another command.
  if (entry.hint === 'ok' && entry.objects.length === 0)
    return andThen(await fetchPinBlock(link), (pin) => ({ kind: 'pin', pin }));
  return entry.hint === 'bypassed' ? { kind: 'pin', pin: undefined } : waitEnd('getPin', entry, stopped());
}
