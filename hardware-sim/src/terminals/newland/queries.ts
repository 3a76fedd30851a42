import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { decodeKeySlot, encodeCoded } from '@tillbridge/wire/terminals/newland/commands.js';
import {
  DIALOG_FIELDS,
  decodeDialog,
  EXPIRY_FORMATS,
  encodeDialogAnswer,
} from '@tillbridge/wire/terminals/newland/dialog.js';
import { type FunctionName, KERNEL_MODULES } from '@tillbridge/wire/terminals/newland/functions.js';
import {
  decodeGetData,
  decodeGetTlvList,
  encodeKernelData,
  encodeTerminalConfig,
} from '@tillbridge/wire/terminals/newland/kernel-data.js';
import type { MessageName } from '@tillbridge/wire/terminals/newland/messages.js';
import { RESPONSE_CODES } from '@tillbridge/wire/terminals/newland/statuses.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import { DEVELOPMENT_PLACE, TERMINAL_AIDS, terminalApplication } from '../core/terminal-applications.js';
import { getData, getTlvList, type KernelAnswerDeps } from './kernel-answers.js';
import { CommandError } from './l3-error.js';

/** What questions to the device are answered from. */
export interface QueryDeps {
  readonly id: string;
  readonly serial: string;
  /** DUKPT keys by their slots. */
  readonly keys: ReadonlyMap<number, DukptDevice>;
  readonly kernel: KernelAnswerDeps;
}

const EMPTY = Buffer.alloc(0);
/** The device attribute of STATUS; public sources do not give its whole form. */
const DEVICE_ATTRIBUTE = 'P180 1.0.14';
/** Enciphered and thrown away to pass over a key. */
const ONE_BLOCK = Buffer.alloc(8);
/** Objects of the terminal configuration that GET TERMINAL CONFIG gives. */
const CONFIG_TAGS = ['9F1A', '9F1C', '9F1E', '9F33', '9F35', '9F40'] as const;

/** The body of the answer to a command about the device itself. @throws CommandError; TerminalFormatError, KeyErased, StateError, CryptoError */
export function smallAnswer(deps: QueryDeps, name: MessageName | undefined, body: Buffer): Buffer {
  switch (name) {
    case 'status':
      return Buffer.from(DEVICE_ATTRIBUTE, 'latin1');
    case 'keySerialNumber':
      return encodeCoded(RESPONSE_CODES.ok, keyOf(deps, body).ksn);
    case 'increaseKeySerialNumber':
      keyOf(deps, body).encipherData(ONE_BLOCK, undefined);
      return encodeCoded(RESPONSE_CODES.ok);
    case 'dialog':
      return encodeCoded(RESPONSE_CODES.ok, dialogAnswer(deps.kernel, body));
    default:
      throw new CommandError('unknown command');
  }
}

/** The dialog of the expiry behind a keyed-in card number; no other dialog is simulated. */
function dialogAnswer({ core, keyedIn }: KernelAnswerDeps, body: Buffer): Buffer {
  const [field, ...more] = decodeDialog(body);
  const expiry = keyedIn() ? core.account?.expiry : undefined;
  const isExpiry = field?.field === DIALOG_FIELDS.expiry && field.format === EXPIRY_FORMATS.yearMonth;
  if (!isExpiry || more.length > 0 || expiry === undefined) throw new CommandError('nothing to ask for');
  return encodeDialogAnswer(new Map([[DIALOG_FIELDS.expiry, expiry]]));
}

function keyOf({ keys }: QueryDeps, body: Buffer): DukptDevice {
  const key = keys.get(decodeKeySlot(body));
  if (key?.condition !== 'loaded') throw new CommandError('no key in this slot');
  return key;
}

/** What an EMV function that requests data answers behind its code. @throws as {@link smallAnswer} */
export function functionAnswer(deps: QueryDeps, name: FunctionName | undefined, data: Buffer): Buffer {
  switch (name) {
    case 'initialise':
      return EMPTY;
    case 'getTerminalConfig':
      return encodeTerminalConfig(terminalConfig(deps));
    case 'kernelVersion':
      return kernelVersion(data);
    case 'getData': {
      const request = decodeGetData(data);
      return encodeKernelData(getData(deps.kernel, request), request.keySlot);
    }
    case 'getTlvList': {
      const request = decodeGetTlvList(data);
      return encodeKernelData(getTlvList(deps.kernel, request), request.keySlot);
    }
    default:
      throw new CommandError('unknown function');
  }
}

/** Text of a module's version; that its number is the request is from public sources incomplete. */
function kernelVersion([module = 0]: Buffer): Buffer {
  const name = KERNEL_MODULES[module];
  if (name === undefined) throw new CommandError('unknown module');
  return Buffer.from(`${name} 1.0.14`, 'latin1');
}

function terminalConfig({ serial, id }: QueryDeps): Buffer {
  const [aid = ''] = TERMINAL_AIDS;
  const { objects } = terminalApplication(aid, DEVELOPMENT_PLACE, serial, id);
  return encodeTlv(
    CONFIG_TAGS.flatMap((tag) => {
      const value = objects.get(tag);
      return value ? [tlv(tag, value)] : [];
    }),
  );
}
