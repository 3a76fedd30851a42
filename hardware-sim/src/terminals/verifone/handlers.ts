import type { CommandName } from '@tillbridge/wire/terminals/verifone/commands.js';
import {
  cardActivate,
  ctEnd,
  ctInit,
  ctOffline,
  ctOnline,
  ctStart,
  ctUpdateTags,
} from './contact-commands.js';
import { ctlsEnd, ctlsInit, ctlsOffline, ctlsOnline, ctlsSetup } from './contactless-commands.js';
import { cardDetection, waitCardRemoval } from './detection-commands.js';
import type { Handler } from './device-context.js';
import { menu, printHtml, secureInput } from './input-commands.js';
import {
  clearDataStore,
  cryptoClose,
  cryptoOpen,
  fetchTags,
  getEncData,
  getEncPin,
  getPin,
} from './secret-commands.js';
import type { Place } from './status-error.js';
import { getProperty, getStatus, handleDisplay } from './system-commands.js';

/** What runs as a program of the device; SYS ABORT acts on programs. */
export type ProgramName = Exclude<CommandName, 'sysAbort' | 'reboot'>;

/** Every command, and what carries it out. */
export const HANDLERS: Readonly<Record<ProgramName, Handler>> = {
  getStatus,
  getProperty,
  getPin,
  cardDetection,
  waitCardRemoval,
  handleDisplay,
  secureInput,
  menu,
  printHtml,
  getEncData,
  fetchTags,
  clearDataStore,
  ctInit,
  ctStart,
  ctOffline,
  ctOnline,
  ctUpdateTags,
  ctEnd,
  ctlsInit,
  ctlsSetup,
  ctlsOffline,
  ctlsOnline,
  ctlsEnd,
  ctlsBreak: ctlsEnd,
  cardActivate,
  cryptoOpen,
  cryptoClose,
  getEncPin,
};

const PLACES: Partial<Record<ProgramName, Place>> = {
  cardActivate: 'contact',
  ctStart: 'contact',
  ctOffline: 'contact',
  ctOnline: 'contact',
  ctlsOffline: 'tap',
  ctlsOnline: 'tap',
  getPin: 'pin',
};

/** Where a command's errors happen. */
export function placeOf(name: ProgramName): Place {
  return PLACES[name] ?? 'elsewhere';
}

/** Commands that an opened device still carries out: those that touch neither cards nor keys. */
export const SAFE_COMMANDS: ReadonlySet<CommandName> = new Set([
  'getStatus',
  'getProperty',
  'handleDisplay',
  'waitCardRemoval',
  'clearDataStore',
  'ctEnd',
  'ctlsEnd',
]);
