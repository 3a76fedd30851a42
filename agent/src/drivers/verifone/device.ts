import { findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { PROPERTIES, REBOOT_P2, TEXT_PROPERTY_P2 } from '@tillbridge/wire/terminals/verifone/commands.js';
import { encodeContainer, type SdiMessage } from '@tillbridge/wire/terminals/verifone/messages.js';
import {
  COL_CONTAINER,
  DIALOG_OPTIONS,
  HOST_PROFILES,
  STATUS_TAGS,
  TAGS,
  TAMPER,
} from '@tillbridge/wire/terminals/verifone/tags.js';
import { known } from '../core/card-data.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { textOf } from '../core/emv-data.js';
import { andThen, failed, inOrder, isFailed, problemOf, type Result } from '../core/result.js';
import type { SdiExchange, SdiLink } from './link.js';
import { answerOf, ask, mustAsk } from './replies.js';

const MAKER = 'Verifone';
const PROPERTY_ID_BYTES = 4;
/** Of DFA13D. */
export const OPTION_BYTES = 4;

/** A number as a value, big endian. */
export function number(value: number, bytes: number): Buffer {
  const out = Buffer.alloc(bytes);
  out.writeUIntBE(value, 0, bytes);
  return out;
}

function numberOf(value: Uint8Array | undefined): number | undefined {
  return value && Number.parseInt(Buffer.from(value).toString('hex') || '0', 16);
}

/** GET PROPERTY answers with the id of the property: the one command whose answer cannot be another's. */
function propertyExchange(id: number): Partial<SdiExchange> {
  return {
    p2: TEXT_PROPERTY_P2,
    data: encodeContainer([tlv(TAGS.propertyId, number(id, PROPERTY_ID_BYTES))]),
  };
}

async function property(link: SdiLink, id: number): Promise<Result<string>> {
  return andThen(await mustAsk(link, 'getProperty', propertyExchange(id)), (objects) =>
    numberOf(findTlv(objects, TAGS.propertyId)) === id
      ? (textOf(objects, TAGS.propertyValue) ?? '')
      : failed('protocol-error', 'GET PROPERTY: the answer has another property'),
  );
}

/** Requests the serial number, whose answer repeats the request: the device works and its answers are in order. */
export async function askAlive(link: SdiLink): Promise<Result<undefined>> {
  return problemOf(await property(link, PROPERTIES.serialNumber));
}

/** Stops the device and skips its late answers. */
export async function bringInStep(link: SdiLink): Promise<Result<undefined>> {
  const stuck = await link.stopAll();
  if (stuck) return stuck;
  const isEcho = (message: SdiMessage): boolean => {
    const answer = answerOf('getProperty', message);
    return (
      !isFailed(answer) && numberOf(findTlv(answer.objects, TAGS.propertyId)) === PROPERTIES.serialNumber
    );
  };
  const exchange = { ...propertyExchange(PROPERTIES.serialNumber), accept: isEcho };
  return problemOf(await ask(link, 'getProperty', exchange));
}

/** Requests the identity of the device. */
export async function identify(link: SdiLink): Promise<Result<TerminalIdentity>> {
  const serial = await property(link, PROPERTIES.serialNumber);
  if (isFailed(serial)) return serial;
  if (serial === '') return failed('protocol-error', 'GET PROPERTY: the serial number is missing');
  const read = await inOrder({
    model: () => property(link, PROPERTIES.modelName),
    firmware: () => property(link, PROPERTIES.osVersion),
  });
  return andThen(read, (texts) => ({ maker: MAKER, serial, ...texts }));
}

/** Shows a text and comes back at once. @param cancellable the cancel key ends the card detection that follows */
export async function showText(link: SdiLink, text: string, cancellable = false): Promise<Result<undefined>> {
  const { async, cancelKey, storeResult } = DIALOG_OPTIONS;
  const options = cancellable ? async | cancelKey | storeResult : async;
  const data = encodeContainer([
    tlv(TAGS.displayData, [tlv(TAGS.variableValue, Buffer.from(text, 'utf8'))]),
    tlv(TAGS.dialogOptions, number(options, OPTION_BYTES)),
  ]);
  return problemOf(await mustAsk(link, 'handleDisplay', { data }));
}

/** Restarts the device (20-17); its answer comes ahead of it. */
export async function reboot(link: SdiLink): Promise<Result<undefined>> {
  return problemOf(await mustAsk(link, 'reboot', { p2: REBOOT_P2 }));
}

/** Time, tamper switch, battery (GET STATUS), and whether the keys' profiles open. */
export async function readCondition(
  link: SdiLink,
  identity: TerminalIdentity,
): Promise<Result<TerminalCondition>> {
  const read = await inOrder({
    objects: () => mustAsk(link, 'getStatus', { data: STATUS_LIST }),
    data: () => keyCondition(link, HOST_PROFILES.accountData),
    pin: () => keyCondition(link, HOST_PROFILES.pin),
  });
  return andThen(read, ({ objects, data, pin }) => {
    const tamper = findTlv(objects, STATUS_TAGS.tamper);
    const facts = {
      tampered: tamper && isTampered(tamper),
      batteryPercent: findTlv(objects, STATUS_TAGS.battery)?.[0],
      localTime: timeText(findTlv(objects, STATUS_TAGS.time)),
    };
    return { kind: 'condition', identity, keys: { data, pin }, ...known(facts) };
  });
}

/** Time, tamper status and battery, as a list of tags and lengths. */
const STATUS_LIST = Buffer.from(
  `${COL_CONTAINER}06${STATUS_TAGS.time}07${STATUS_TAGS.tamper}09${STATUS_TAGS.battery}02`,
  'hex',
);

function isTampered(status: Uint8Array): boolean {
  const bits = ((status[0] ?? 0) << 8) | (status[1] ?? 0);
  return (bits & ~(TAMPER.noValidStatus | TAMPER.noCoinCell)) !== TAMPER.none;
}

/** Year in hundreds and units, month, day, hour, minute, second: each byte a number (SDI guide, system tags). */
function timeText(value: Uint8Array | undefined): string | undefined {
  if (value?.length !== 7) return undefined;
  const [hundreds, units, month, day, ...time] = Array.from(value, (byte) => String(byte).padStart(2, '0'));
  return `${hundreds}${units}-${month}-${day}T${time.join(':')}`;
}

/** A profile opens only when its keys are there (from public sources incomplete). */
async function keyCondition(link: SdiLink, profile: string): Promise<Result<KeyCondition>> {
  const handle = await openProfile(link, profile);
  if (isFailed(handle)) {
    return handle.failure === 'key-missing' || handle.failure === 'tampered' ? 'missing' : handle;
  }
  return (await closeProfile(link, handle)) ?? 'loaded';
}

/** Opens a host profile of the device's security configuration. @returns its handle */
export async function openProfile(link: SdiLink, profile: string): Promise<Result<Buffer>> {
  const data = encodeContainer([tlv(TAGS.hostName, Buffer.from(profile, 'latin1'))]);
  return andThen(await mustAsk(link, 'cryptoOpen', { data }), (objects) => {
    const handle = findTlv(objects, TAGS.cryptoHandle);
    return handle ? Buffer.from(handle) : failed('protocol-error', 'CRYPTO OPEN: the handle is missing');
  });
}

/** Closes a host profile. */
export async function closeProfile(link: SdiLink, handle: Buffer): Promise<Result<undefined>> {
  const data = encodeContainer([tlv(TAGS.cryptoHandle, handle)]);
  return problemOf(await mustAsk(link, 'cryptoClose', { data }));
}
