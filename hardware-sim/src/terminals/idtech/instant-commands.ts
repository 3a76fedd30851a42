import {
  decodeAid,
  decodeApplicationData,
  encodeAidList,
  encodeApplicationObjects,
} from '@tillbridge/wire/terminals/idtech/application-data.js';
import { type CommandName, SWITCH_BITS } from '@tillbridge/wire/terminals/idtech/commands.js';
import {
  decodeKeyRequest,
  encodeKeyState,
  type KeyName,
} from '@tillbridge/wire/terminals/idtech/key-state.js';
import { DEFAULT_OPEN, type OpenDigits, readMasking } from '@tillbridge/wire/terminals/idtech/masking.js';
import { decodeScreenText } from '@tillbridge/wire/terminals/idtech/screen.js';
import { decodeObjects, findObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { TAGS } from '@tillbridge/wire/terminals/idtech/tags.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import type { TerminalUi } from '../core/terminal-ui.js';
import type { Applications } from './applications.js';
import { StatusError } from './step-error.js';

/** What the commands work with that are answered at once. */
interface InstantDeps {
  readonly serial: string;
  readonly ui: TerminalUi;
  readonly keys: Readonly<Record<KeyName, DukptDevice>>;
  readonly applications: Applications;
  /** The chip in the slot loses its power: its transaction is over. */
  readonly powerOff: () => void;
}

const EMPTY = Buffer.alloc(0);
/** Id of the one screen that the host makes: theme and number. */
const FIRST_SCREEN = Buffer.of(0, 0);
const SERIAL_BYTES = 15;
const FIRMWARE = 'VP6800 FW v1.01.104.0103.S';
/** Value of DFED59: a first answer is sent. */
const FIRST_ANSWER_ON = 0x00;

/** The commands that are answered at once, and the settings that the host made with them. */
export class InstantCommands {
  readonly #deps: InstantDeps;
  #open: OpenDigits = DEFAULT_OPEN;
  #firstAnswers = true;
  #tellsSeat = false;
  #label = '';

  constructor(deps: InstantDeps) {
    this.#deps = deps;
  }

  /** What of a PAN is shown. */
  get open(): OpenDigits {
    return this.#open;
  }

  /** Whether the device sends a first answer when a step begins. */
  get firstAnswers(): boolean {
    return this.#firstAnswers;
  }

  /** Whether the device notifies the host of an inserted or removed card. */
  get tellsSeat(): boolean {
    return this.#tellsSeat;
  }

  /** Data of the answer. @throws StatusError, TerminalFormatError */
  answer(name: CommandName, data: Buffer): Buffer {
    const { serial, ui, applications } = this.#deps;
    switch (name) {
      case 'serialNumber':
        return Buffer.from(serial.slice(-SERIAL_BYTES).padEnd(SERIAL_BYTES, '\0'), 'latin1');
      case 'firmwareVersion':
        return Buffer.from(FIRMWARE, 'latin1');
      case 'dukptKeySerial':
        return this.#keyState(data);
      case 'aidList':
        return encodeAidList(applications.aids);
      case 'applicationData':
        return encodeApplicationObjects(applications.objects(decodeAid(data)));
      case 'createScreen':
        decodeScreenText('screen', data);
        return FIRST_SCREEN;
      case 'setApplicationData':
        applications.set(decodeApplicationData(data));
        return EMPTY;
      case 'contactPowerOff':
        if (!ui.inserted) throw new StatusError('failed');
        this.#deps.powerOff();
        return EMPTY;
      default:
        this.#set(name, data);
        return EMPTY;
    }
  }

  /** Commands that change settings and answer without data. */
  #set(name: CommandName, data: Buffer): void {
    const { ui } = this.#deps;
    switch (name) {
      case 'setConfiguration':
        this.#configure(data);
        break;
      case 'setSwitchNotifications':
        this.#tellsSeat = ((data[0] ?? 0) & SWITCH_BITS.cardSeated) !== 0;
        break;
      case 'addObject':
      case 'updateObject':
        this.#label = decodeScreenText(name === 'addObject' ? 'add' : 'update', data).label ?? '';
        break;
      case 'showScreen':
        decodeScreenText('screen', data);
        ui.show([this.#label]);
        break;
      case 'systemScreen':
        ui.clear();
        break;
      default:
    }
  }

  #configure(data: Buffer): void {
    const objects = decodeObjects(data);
    const masking = findObject(objects, TAGS.masking);
    const open = masking && readMasking(masking);
    if (masking && !open) throw new StatusError('wrongParameter');
    const first = findObject(objects, TAGS.firstAnswer)?.[0];
    if (open) this.#open = open;
    if (first !== undefined) this.#firstAnswers = first === FIRST_ANSWER_ON;
  }

  #keyState(data: Buffer): Buffer {
    const name = decodeKeyRequest(data);
    if (!name) return encodeKeyState({ state: 'notAvailable' });
    const { condition, ksn } = this.#deps.keys[name];
    if (condition === 'erased') return encodeKeyState({ state: 'unused' });
    return encodeKeyState({ state: condition === 'exhausted' ? 'endOfLife' : 'valid', ksn });
  }
}
