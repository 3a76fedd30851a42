import { findTemplate, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { PROPERTIES } from '@tillbridge/wire/terminals/verifone/commands.js';
import {
  COL_CONTAINER,
  DIALOG_OPTIONS,
  STATUS_TAGS,
  TAGS,
  TAMPER,
} from '@tillbridge/wire/terminals/verifone/tags.js';
import type { DeviceContext, Handler } from './device-context.js';
import { confirmed } from './input-commands.js';
import { StatusError } from './status-error.js';

const MODEL = 'P400';
const OS_VERSION = '31010300';
/** Charge is held by the mains. */
const CHARGING_ENDED = 0x01;
const TIME_STAMP_BYTES = 7;
/** The dialogs that are simulated have both keys. */
const WAITING = DIALOG_OPTIONS.enterKey | DIALOG_OPTIONS.cancelKey;

/** GET PROPERTY: one text for each property. */
export const getProperty: Handler = ({ serial }, { objects }) => {
  const id = findTlv(objects, TAGS.propertyId);
  if (!id || id.length === 0 || id.length > 4) throw new StatusError('tagError');
  const value = textOf(Number.parseInt(Buffer.from(id).toString('hex'), 16), serial);
  if (value === undefined) throw new StatusError('execution');
  return {
    objects: [tlv(TAGS.propertyId, id), tlv(TAGS.propertyValue, Buffer.from(value, 'latin1'))],
  };
};

function textOf(id: number, serial: string): string | undefined {
  if (id === PROPERTIES.modelName) return MODEL;
  if (id === PROPERTIES.serialNumber) return serial;
  return id === PROPERTIES.osVersion ? OS_VERSION : undefined;
}

/** GET STATUS for a list of tags and lengths. */
export const getStatus: Handler = (ctx, { data }) => {
  if (data[0] !== Number.parseInt(COL_CONTAINER, 16) || data[1] !== data.length - 2)
    throw new StatusError('tagError');
  const objects: TlvNode[] = [];
  for (let at = 2; at < data.length; at += 2) {
    const tag = data
      .subarray(at, at + 1)
      .toString('hex')
      .toUpperCase();
    const value = statusValue(ctx, tag);
    if (!value) throw new StatusError('tagError');
    if (value.length !== data[at + 1]) throw new StatusError('tagLength');
    objects.push(tlv(tag, value));
  }
  return { objects };
};

function statusValue({ clock, health }: DeviceContext, tag: string): Buffer | undefined {
  const time = timeStamp(clock.nowMs());
  switch (tag) {
    case STATUS_TAGS.time:
      return time;
    case STATUS_TAGS.tamper: {
      const bits = health.tampered ? TAMPER.physical : TAMPER.none;
      const since = health.tampered ? time : Buffer.alloc(TIME_STAMP_BYTES);
      return Buffer.concat([Buffer.of(bits >>> 8, bits & 0xff), since]);
    }
    case STATUS_TAGS.battery:
      return Buffer.of(health.batteryPercent, CHARGING_ENDED);
    default:
      return undefined;
  }
}

/** Year in hundreds and units, month, day, hour, minute, second: each byte a number. */
function timeStamp(nowMs: number): Buffer {
  const digits = new Date(nowMs)
    .toISOString()
    .replace(/\D/g, '')
    .slice(0, 2 * TIME_STAMP_BYTES);
  return Buffer.from((digits.match(/../g) ?? []).map(Number));
}

/** HANDLE DISPLAY: a text that comes back at once, or a dialog that waits for ENTER or CANCEL. */
export const handleDisplay: Handler = async (ctx, input) => {
  const { ui, flags } = ctx;
  const { data, objects } = input;
  flags.cancelDialog = false;
  if (data.length === 0) {
    ui.clear();
    return {};
  }
  const shown = findTemplate(objects, TAGS.displayData);
  const text = shown && findTlv(shown, TAGS.variableValue);
  if (!text) throw new StatusError('tagError');
  const given = findTlv(objects, TAGS.dialogOptions);
  const options = Number.parseInt(Buffer.from(given ?? []).toString('hex') || '0', 16);
  const isAsync = (options & DIALOG_OPTIONS.async) !== 0;
  if (!isAsync && (options & WAITING) !== WAITING) throw new StatusError('notAllowed');
  ui.show(Buffer.from(text).toString('utf8').split('\n'));
  if (!isAsync) {
    await confirmed(ctx, input);
    return {};
  }
  flags.cancelDialog = (options & DIALOG_OPTIONS.cancelKey) !== 0;
  return {};
};
