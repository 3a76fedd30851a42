import { COMMANDS, type CommandName, SWITCH_BITS } from '@tillbridge/wire/terminals/idtech/commands.js';
import {
  decodeKeyState,
  encodeKeyRequest,
  type KeyName,
  type KeyStateName,
} from '@tillbridge/wire/terminals/idtech/key-state.js';
import { MASKING } from '@tillbridge/wire/terminals/idtech/masking.js';
import { encodeObjects } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { TAGS } from '@tillbridge/wire/terminals/idtech/tags.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { plainText } from '../core/emv-data.js';
import { andThen, type Failed, failed, inOrder, isFailed, type Result } from '../core/result.js';
import type { NeoLink } from './link.js';
import { ask, dataOf, statusFailure } from './replies.js';

const MAKER = 'ID TECH';

/** What is known of a device once it has answered. */
export interface NeoDevice {
  readonly identity: TerminalIdentity;
  readonly dataKey: KeyCondition;
}

const KEY_CONDITIONS: Readonly<Record<KeyStateName, KeyCondition>> = {
  unused: 'missing',
  valid: 'loaded',
  endOfLife: 'exhausted',
  notAvailable: 'missing',
};

/** First answers on; six and four digits of a PAN and its expiry in clear, the rest masked. */
const CONFIGURATION = encodeObjects([
  { tag: TAGS.firstAnswer, disclosure: 'plain', value: Buffer.of(0x00) },
  { tag: TAGS.masking, disclosure: 'plain', value: MASKING },
]);

async function identify(link: NeoLink): Promise<Result<TerminalIdentity>> {
  const serial = await ask(link, 'serialNumber', plainText);
  if (serial === '') {
    return failed('protocol-error', `${COMMANDS.serialNumber.name}: the serial number is empty`);
  }
  if (isFailed(serial)) return serial;
  const firmware = await ask(link, 'firmwareVersion', plainText);
  if (isFailed(firmware)) return firmware;
  return { maker: MAKER, model: firmware.split(/[\s-]/)[0] ?? '', firmware, serial };
}

/** Requests the condition of a DUKPT key (81-0B). */
async function keyCondition(link: NeoLink, name: KeyName): Promise<Result<KeyCondition>> {
  const key = await ask(link, 'dukptKeySerial', decodeKeyState, encodeKeyRequest(name));
  if (isFailed(key)) return key.failure === 'tampered' ? 'missing' : key;
  return KEY_CONDITIONS[key.state];
}

/** Why no card data could be enciphered: a key that was missing when the session began may have been injected since. */
export async function dataKeyProblem(link: NeoLink, { dataKey }: NeoDevice): Promise<Result<undefined>> {
  if (dataKey === 'loaded') return undefined;
  return andThen(await keyCondition(link, 'data'), (condition) =>
    condition === 'loaded' ? undefined : keyFailure(condition),
  );
}

/** Why the device could not encipher card data. */
export async function encipherFailure(link: NeoLink, command: CommandName, status: number): Promise<Failed> {
  const condition = await keyCondition(link, 'data');
  const known = condition === 'exhausted' || condition === 'missing';
  return known ? keyFailure(condition) : statusFailure(command, status);
}

function keyFailure(condition: KeyCondition): Failed {
  return condition === 'exhausted'
    ? failed('key-exhausted', 'the data key is used up: card data could not be enciphered')
    : failed('key-missing', 'the data key is missing: card data could not be enciphered');
}

function keyConditions(link: NeoLink): Promise<Result<TerminalCondition['keys']>> {
  return inOrder({ data: () => keyCondition(link, 'data'), pin: () => keyCondition(link, 'pin') });
}

/** Frees the device, requests its identity, and sets how it answers. */
export async function openDevice(link: NeoLink): Promise<Result<NeoDevice>> {
  link.reset();
  const cancelled = dataOf('cancel', await link.cancel());
  if (isFailed(cancelled)) return cancelled;
  const opened = await inOrder({
    identity: () => identify(link),
    configured: async () => dataOf('setConfiguration', await link.execute('setConfiguration', CONFIGURATION)),
    keys: () => keyConditions(link),
    // A device that refuses reports no card that is seated or leaves.
    seat: () => link.execute('setSwitchNotifications', Buffer.of(SWITCH_BITS.cardSeated)),
  });
  return andThen(opened, ({ identity, keys }) => ({ identity, dataKey: keys.data }));
}

/** The keys. The protocol has no command for the battery; none is published for the clock. */
export async function readCondition(
  link: NeoLink,
  { identity }: NeoDevice,
): Promise<Result<TerminalCondition>> {
  return andThen(await keyConditions(link), (keys) => ({ kind: 'condition', identity, keys }));
}
