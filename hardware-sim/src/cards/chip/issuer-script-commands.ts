import { equalConstantTime, wipe } from '@tillbridge/wire/bytes.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { type CommandApdu, INS, type ResponseApdu, SW } from '../core/apdu.js';
import { type ChipContext, transactionAtc } from '../core/card-session.js';
import { type CardState, PIN_TRY_LIMIT } from '../core/card-state.js';
import { cryptogramScheme } from './cryptogram-scheme.js';

/** Class byte of a command with a MAC in the scheme's format (EMV Book 2 §9.2). */
export const SECURE_MESSAGING_CLA = 0x84;
const MAC_BYTES = 8;
const NO_DATA = Buffer.alloc(0);

/** What each command changes (EMV Book 3 §6.5.1, §6.5.2, §6.5.3, §6.5.10 with P2 00). */
const CHANGES: Readonly<Record<number, Partial<CardState>>> = {
  [INS.applicationBlock]: { applicationBlocked: true },
  [INS.applicationUnblock]: { applicationBlocked: false },
  [INS.cardBlock]: { cardBlocked: true },
  [INS.pinChangeUnblock]: { pinTryCounter: PIN_TRY_LIMIT },
};

/** Whether this card knows the instruction as an issuer script command. */
export function isIssuerCommand(command: CommandApdu): boolean {
  return CHANGES[command.ins] !== undefined;
}

/**
 * Carries out an issuer's command if its MAC is right: over header, ATC, ARQC and data, under the script session key.
 * A transaction with an ARQC must have come first: the MAC hangs on it.
 */
export function issuerCommand(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const change = CHANGES[command.ins];
  if (change === undefined) return { sw: SW.instructionNotSupported, data: NO_DATA };
  const { session, memory } = chip;
  session.scriptCommands += 1;
  const sw = check(chip, command);
  if (sw === SW.ok) memory.change(change);
  else session.scriptFailed = true;
  return { sw, data: NO_DATA };
}

function check(chip: ChipContext, command: CommandApdu): number {
  if (chip.session.first === undefined) return SW.conditionsNotSatisfied;
  if (command.p1 !== 0 || command.p2 !== 0) return SW.wrongParameters;
  if (command.data.length !== MAC_BYTES) return SW.wrongLength;
  const { cla, ins, p1, p2 } = command;
  const expected = scriptMac(chip, Buffer.from([cla, ins, p1, p2, command.data.length]), NO_DATA);
  return equalConstantTime(expected, command.data) ? SW.ok : SW.secureMessagingIncorrect;
}

function scriptMac(chip: ChipContext, header: Uint8Array, data: Uint8Array): Buffer {
  const cryptogram = chip.session.first?.cryptogram ?? NO_DATA;
  const atc = transactionAtc(chip);
  const key = cryptogramScheme(chip.profile.cryptogramVersion).scriptMacKey(chip.keys, atc, cryptogram);
  const mac = retailMac(key, Buffer.concat([header, atc, cryptogram, data]), 'iso9797Method2');
  wipe(key);
  return mac;
}
