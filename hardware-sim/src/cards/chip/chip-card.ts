import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { StateError, type StateSlot } from '../../state/state-slot.js';
import {
  ApduError,
  type CommandApdu,
  decodeCommand,
  encodeResponse,
  INS,
  type ResponseApdu,
  SW,
} from '../core/apdu.js';
import type { ApplicationProfile } from '../core/application-profile.js';
import type { Card } from '../core/card.js';
import { deriveCardKeys } from '../core/card-keys.js';
import { atcBytes, CardMemory, type ChipContext, newSession } from '../core/card-session.js';
import type { CardState } from '../core/card-state.js';
import { internalAuthenticate } from '../oda/dynamic-signature.js';
import { externalAuthenticate, generateAc, getProcessingOptions } from './cryptogram-commands.js';
import { isIssuerCommand, issuerCommand, SECURE_MESSAGING_CLA } from './issuer-script-commands.js';
import { verify } from './pin-commands.js';
import { readRecord, select } from './selection-commands.js';

/** Answer to reset of a T=1 card without historical bytes. */
const ATR = Buffer.from('3B80800101', 'hex');
const INTERINDUSTRY_CLA = 0x00;
const PROPRIETARY_CLA = 0x80;
const NO_DATA = Buffer.alloc(0);

/** What a chip is made of. */
interface ChipOptions {
  readonly profile: ApplicationProfile;
  /** The PIN that VERIFY compares with; a chip without one refuses VERIFY. */
  readonly pin?: string;
  readonly memory: StateSlot<CardState>;
  /** How the chip differs from a new one when it is delivered. */
  readonly personalised?: Partial<CardState>;
}

/** A chip with one payment application: answers APDUs as a real card does, with real keys and counters. */
export class ChipCard implements Card {
  readonly #options: ChipOptions;
  readonly #memory: CardMemory;
  #chip: ChipContext;

  constructor(options: ChipOptions) {
    const { profile, personalised } = options;
    this.#options = options;
    this.#memory = new CardMemory(options.memory, personalised);
    const keys = deriveCardKeys(profile.pan, profile.psn);
    this.#chip = { profile, keys, memory: this.#memory, session: newSession() };
  }

  async reset(): Promise<Uint8Array> {
    this.#chip = { ...this.#chip, session: newSession() };
    return ATR;
  }

  async transmit(command: Uint8Array): Promise<Uint8Array> {
    return encodeResponse(this.#answer(command));
  }

  #answer(bytes: Uint8Array): ResponseApdu {
    try {
      return this.#routing(decodeCommand(bytes));
    } catch (error) {
      if (error instanceof ApduError) return { sw: SW.wrongLength, data: NO_DATA };
      // Without a written memory the chip refuses the command: no counter is ever used twice.
      if (error instanceof StateError) return { sw: SW.memoryFailure, data: NO_DATA };
      throw error;
    }
  }

  #routing(command: CommandApdu): ResponseApdu {
    const chip = this.#chip;
    if (command.cla === SECURE_MESSAGING_CLA && isIssuerCommand(command)) return issuerCommand(chip, command);
    if (command.cla !== INTERINDUSTRY_CLA && command.cla !== PROPRIETARY_CLA)
      return { sw: SW.classNotSupported, data: NO_DATA };
    if (command.ins === INS.verify) return verify(chip, this.#options.pin, command);
    return COMMANDS[command.ins]?.(chip, command) ?? { sw: SW.instructionNotSupported, data: NO_DATA };
  }
}

const COMMANDS: Readonly<Record<number, (chip: ChipContext, command: CommandApdu) => ResponseApdu>> = {
  [INS.select]: select,
  [INS.readRecord]: readRecord,
  [INS.getProcessingOptions]: getProcessingOptions,
  [INS.getData]: getData,
  [INS.generateAc]: generateAc,
  [INS.internalAuthenticate]: internalAuthenticate,
  [INS.externalAuthenticate]: externalAuthenticate,
};

/** GET DATA of the counters (EMV Book 3 §6.5.7). */
function getData(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const tag = ((command.p1 << 8) | command.p2).toString(16).toUpperCase().padStart(4, '0');
  const { state } = chip.memory;
  const values: Readonly<Record<string, Buffer>> = {
    '9F17': Buffer.from([state.pinTryCounter]),
    '9F36': atcBytes(state.atc),
    '9F13': atcBytes(state.lastOnlineAtc),
  };
  const value = values[tag];
  if (value === undefined) return { sw: SW.referencedDataNotFound, data: NO_DATA };
  return { sw: SW.ok, data: encodeTlv([tlv(tag, value)]) };
}
