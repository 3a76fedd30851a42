import { nameByCode } from '../code-table.js';

/** The commands that the driver uses, and their numbers. */
export const COMMANDS = {
  startTransaction: 0x1001,
  resumeTransaction: 0x1004,
  cancelTransaction: 0x1008,
  displayMessage: 0x1803,
  resetDevice: 0x1f01,
  getProperty: 0xd101,
  setProperty: 0xd111,
  echo: 0xdf01,
} as const;

/** Name of a command. */
export type CommandName = keyof typeof COMMANDS;

const TITLES: Readonly<Record<CommandName, string>> = {
  startTransaction: 'START TRANSACTION',
  resumeTransaction: 'RESUME TRANSACTION',
  cancelTransaction: 'CANCEL TRANSACTION',
  displayMessage: 'DISPLAY MESSAGE',
  resetDevice: 'RESET DEVICE',
  getProperty: 'GET PROPERTY',
  setProperty: 'SET PROPERTY',
  echo: 'ECHO',
};

/** The command of a number; undefined for one that is not used here. */
export const commandOf = nameByCode(COMMANDS, (number: number) => number);

/** A command as people read it. */
export function commandTitle(name: CommandName): string {
  return TITLES[name];
}
