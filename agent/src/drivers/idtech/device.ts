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
import { plainText } from '../core/emv-data.js';
import { type Failed, failed, isFailed, type Result } from '../core/result.js';
import type { NeoLink } from './link.js';
import { dataOf, reading, statusFailure } from './replies.js';

const MAKER = 'ID TECH';

/** What is known of a device once it has answered. */
export interface NeoDevice {
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

async function identify(link: NeoLink): Promise<Result<TerminalIdentity>> {
  const serial = dataOf('serialNumber', await link.execute('serialNumber'));
  if (isFailed(serial)) return serial;
  if (plainText(serial) === '') {
    return failed('protocol-error', `${COMMANDS.serialNumber.name}: the serial number is empty`);
  }
  const version = dataOf('firmwareVersion', await link.execute('firmwareVersion'));
  if (isFailed(version)) return version;
  const firmware = plainText(version);
  return { maker: MAKER, model: firmware.split(/[\s-]/)[0] ?? '', firmware, serial: plainText(serial) };
}

/** Asks how a DUKPT key stands (81-0B). */
export async function keyCondition(link: NeoLink, name: KeyName): Promise<Result<KeyCondition>> {
  const data = dataOf('dukptKeySerial', await link.execute('dukptKeySerial', encodeKeyRequest(name)));
  if (isFailed(data)) return data.failure === 'tampered' ? 'missing' : data;
  const state = reading('dukptKeySerial', () => decodeKeyState(data));
  return isFailed(state) ? state : KEY_CONDITIONS[state.state];
}

/** Why no card data could be enciphered: a key that was missing when the session began may have been injected since. */
export async function dataKeyProblem(link: NeoLink, { dataKey }: NeoDevice): Promise<Result<undefined>> {
  if (dataKey === 'loaded') return undefined;
  const condition = await keyCondition(link, 'data');
  if (isFailed(condition)) return condition;
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

async function keyConditions(link: NeoLink): Promise<Result<TerminalCondition['keys']>> {
  const data = await keyCondition(link, 'data');
  if (isFailed(data)) return data;
  const pin = await keyCondition(link, 'pin');
  return typeof pin === 'string' ? { data, pin } : pin;
}

/** Frees the device, asks what it is, and sets how it answers. */
export async function openDevice(link: NeoLink): Promise<Result<NeoDevice>> {
  link.reset();
  const cancelled = dataOf('cancel', await link.cancel());
  if (isFailed(cancelled)) return cancelled;
  const identity = await identify(link);
  if (isFailed(identity)) return identity;
  const configured = dataOf('setConfiguration', await link.execute('setConfiguration', CONFIGURATION));
  if (isFailed(configured)) return configured;
  const keys = await keyConditions(link);
  if (isFailed(keys)) return keys;
  const seat = await link.execute('setSwitchNotifications', Buffer.of(SWITCH_BITS.cardSeated));
  if (isFailed(seat)) return seat;
  const tellsSeat = seat.kind === 'reply' && statusOf(seat.status).hint === 'ok';
  return { identity, dataKey: keys.data, pinKey: keys.pin, tellsSeat };
}

/** Keys; the protocol has no word for a battery, and none was read for the clock. */
export async function readCondition(
  link: NeoLink,
  { identity }: NeoDevice,
): Promise<Result<TerminalCondition>> {
  const keys = await keyConditions(link);
  return isFailed(keys) ? keys : { kind: 'condition', identity, keys };
}
