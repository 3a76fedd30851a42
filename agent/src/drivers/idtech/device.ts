import { COMMANDS, type CommandName, SWITCH_BITS } from '@tillbridge/protocol/terminals/idtech/commands.js';
import {
  decodeKeyState,
  encodeKeyRequest,
  type KeyName,
  type KeyStateName,
} from '@tillbridge/protocol/terminals/idtech/key-state.js';
import { MASKING } from '@tillbridge/protocol/terminals/idtech/masking.js';
import { encodeObjects } from '@tillbridge/protocol/terminals/idtech/secure-tlv.js';
import { statusOf } from '@tillbridge/protocol/terminals/idtech/statuses.js';
import { TAGS } from '@tillbridge/protocol/terminals/idtech/tags.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { type Failed, failed } from '../core/result.js';
import type { NeoLink } from './link.js';
import { dataOf, reading, statusFailure } from './replies.js';

const MAKER = 'ID TECH';

/** What is known of a device once it has answered. */
export interface NeoDevice {
  readonly kind: 'device';
  readonly identity: TerminalIdentity;
  readonly dataKey: KeyCondition;
  readonly pinKey: KeyCondition;
  /** It tells when a card is seated and when it leaves. */
  readonly tellsSeat: boolean;
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

function text(data: Buffer): string {
  return data.toString('latin1').replace(/\0+$/, '').trim();
}

async function identify(link: NeoLink): Promise<TerminalIdentity | Failed> {
  const serial = dataOf('serialNumber', await link.execute('serialNumber'));
  if (!Buffer.isBuffer(serial)) return serial;
  if (text(serial) === '') {
    return failed('protocol-error', `${COMMANDS.serialNumber.name}: the serial number is empty`);
  }
  const version = dataOf('firmwareVersion', await link.execute('firmwareVersion'));
  if (!Buffer.isBuffer(version)) return version;
  const firmware = text(version);
  return { maker: MAKER, model: firmware.split(/[\s-]/)[0] ?? '', firmware, serial: text(serial) };
}

/** Asks how a DUKPT key stands (81-0B). */
export async function keyCondition(link: NeoLink, name: KeyName): Promise<KeyCondition | Failed> {
  const data = dataOf('dukptKeySerial', await link.execute('dukptKeySerial', encodeKeyRequest(name)));
  if (!Buffer.isBuffer(data)) return data.failure === 'tampered' ? 'missing' : data;
  const state = reading('dukptKeySerial', () => decodeKeyState(data));
  return 'kind' in state ? state : KEY_CONDITIONS[state.state];
}

/** Why no card data could be enciphered: a key that was missing when the session began may have been injected since. */
export async function dataKeyProblem(link: NeoLink, { dataKey }: NeoDevice): Promise<Failed | undefined> {
  if (dataKey === 'loaded') return undefined;
  const condition = await keyCondition(link, 'data');
  if (typeof condition !== 'string') return condition;
  return condition === 'loaded' ? undefined : keyFailure(condition);
}

/** The device could not encipher: how its data key stands tells why. */
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

async function keyConditions(link: NeoLink): Promise<TerminalCondition['keys'] | Failed> {
  const data = await keyCondition(link, 'data');
  if (typeof data !== 'string') return data;
  const pin = await keyCondition(link, 'pin');
  return typeof pin === 'string' ? { data, pin } : pin;
}

/** Frees the device, asks what it is, and sets how it answers. */
export async function openDevice(link: NeoLink): Promise<NeoDevice | Failed> {
  link.reset();
  const cancelled = dataOf('cancel', await link.cancel());
  if (!Buffer.isBuffer(cancelled)) return cancelled;
  const identity = await identify(link);
  if ('kind' in identity) return identity;
  const configured = dataOf('setConfiguration', await link.execute('setConfiguration', CONFIGURATION));
  if (!Buffer.isBuffer(configured)) return configured;
  const keys = await keyConditions(link);
  if ('kind' in keys) return keys;
  const seat = await link.execute('setSwitchNotifications', Buffer.of(SWITCH_BITS.cardSeated));
  if (seat.kind === 'failed') return seat;
  const tellsSeat = seat.kind === 'reply' && statusOf(seat.status).hint === 'ok';
  return { kind: 'device', identity, dataKey: keys.data, pinKey: keys.pin, tellsSeat };
}

/** Keys; the protocol has no word for a battery, and none was read for the clock. */
export async function readCondition(
  link: NeoLink,
  { identity }: NeoDevice,
): Promise<TerminalCondition | Failed> {
  const keys = await keyConditions(link);
  return 'kind' in keys ? keys : { kind: 'condition', identity, keys };
}
