import { type ApduCommandSpec, apduHeader } from '../apdu-command.js';
import { nameByCode } from '../code-table.js';

/** The commands of a sale (SDI guide, command overview; EMV guides, contact and contactless). */
export const COMMANDS = {
  sysAbort: { cla: 0x20, ins: 0x02, name: 'SYS ABORT', blocking: false },
  getStatus: { cla: 0x20, ins: 0x04, name: 'GET STATUS', blocking: false },
  reboot: { cla: 0x20, ins: 0x17, name: 'REBOOT', blocking: false },
  getProperty: { cla: 0x20, ins: 0x1a, name: 'GET PROPERTY', blocking: false },
  getPin: { cla: 0x22, ins: 0x01, name: 'GET PIN', blocking: true },
  cardDetection: { cla: 0x23, ins: 0x01, name: 'CARD DETECTION', blocking: true },
  waitCardRemoval: { cla: 0x23, ins: 0x02, name: 'WAIT CARD REMOVAL', blocking: false },
  handleDisplay: { cla: 0x24, ins: 0x03, name: 'HANDLE DISPLAY', blocking: false },
  secureInput: { cla: 0x24, ins: 0x04, name: 'HANDLE SECURE INPUT', blocking: true },
  menu: { cla: 0x24, ins: 0x05, name: 'HANDLE MENU', blocking: true },
  printHtml: { cla: 0x25, ins: 0x02, name: 'PRINT HTML', blocking: false },
  getEncData: { cla: 0x29, ins: 0x00, name: 'GET ENC DATA', blocking: false },
  fetchTags: { cla: 0x29, ins: 0x02, name: 'FETCH TRX TAGS', blocking: false },
  clearDataStore: { cla: 0x29, ins: 0x03, name: 'CLEAR DATA STORE', blocking: false },
  ctInit: { cla: 0x39, ins: 0x00, name: 'CT INIT FRAMEWORK', blocking: false },
  ctStart: { cla: 0x39, ins: 0x10, name: 'CT START TRANSACTION', blocking: false },
  ctOffline: { cla: 0x39, ins: 0x11, name: 'CT CONTINUE OFFLINE', blocking: true },
  ctOnline: { cla: 0x39, ins: 0x12, name: 'CT CONTINUE ONLINE', blocking: false },
  ctUpdateTags: { cla: 0x39, ins: 0x13, name: 'CT UPDATE TXN TAGS', blocking: false },
  ctEnd: { cla: 0x39, ins: 0x15, name: 'CT END TRANSACTION', blocking: false },
  ctlsInit: { cla: 0x40, ins: 0x00, name: 'CTLS INIT FRAMEWORK', blocking: false },
  ctlsSetup: { cla: 0x40, ins: 0x10, name: 'CTLS SETUP TRANSACTION', blocking: false },
  ctlsOffline: { cla: 0x40, ins: 0x11, name: 'CTLS CONTINUE OFFLINE', blocking: false },
  ctlsOnline: { cla: 0x40, ins: 0x12, name: 'CTLS CONTINUE ONLINE', blocking: false },
  ctlsEnd: { cla: 0x40, ins: 0x15, name: 'CTLS END TRANSACTION', blocking: false },
  ctlsBreak: { cla: 0x40, ins: 0x20, name: 'CTLS BREAK', blocking: false },
  cardActivate: { cla: 0x41, ins: 0x02, name: 'SMART CARD ACTIVATE', blocking: false },
  cryptoOpen: { cla: 0x70, ins: 0x00, name: 'CRYPTO OPEN', blocking: false },
  cryptoClose: { cla: 0x70, ins: 0x01, name: 'CRYPTO CLOSE', blocking: false },
  getEncPin: { cla: 0x70, ins: 0x08, name: 'GET ENCRYPTED PIN', blocking: false },
} as const satisfies Readonly<Record<string, ApduCommandSpec>>;

/** A command. */
export type CommandName = keyof typeof COMMANDS;

const find = nameByCode(COMMANDS, apduHeader);
const CLASSES: ReadonlySet<number> = new Set(Object.values(COMMANDS).map(({ cla }) => cla));

/** The command of a header; `unknown-ins` and `unknown-class` as the device distinguishes them. */
export function commandOf(cla: number, ins: number): CommandName | 'unknown-ins' | 'unknown-class' {
  return find(apduHeader({ cla, ins })) ?? (CLASSES.has(cla) ? 'unknown-ins' : 'unknown-class');
}

/** P2 of SYS ABORT: an idle device answers it, or stays silent. */
export const ABORT_P2 = { answerWhenIdle: 0x00, silentWhenIdle: 0x01 } as const;
/** P2 of 20-17: the device restarts. */
export const REBOOT_P2 = 0x01;
/** P2 of GET PROPERTY: the property is a text. */
export const TEXT_PROPERTY_P2 = 0x01;
/** Text properties (ADK system information). */
export const PROPERTIES = { modelName: 0, serialNumber: 1, osVersion: 2 } as const;

/** CARD DETECTION counts its time in halves of a second, or with {@link TIME_TIMES_TEN} in fives. */
export const DETECTION_UNIT_MS = 500;
const MAX_DETECTION_UNITS = 0xfe;
/** DFA01B: the time counts ten times. */
export const TIME_TIMES_TEN = 0x01;

/** P2 and flag of CARD DETECTION for a time, rounded up as the device rounds it. */
export function detectionTime(timeoutMs: number): { readonly p2: number; readonly timesTen: boolean } {
  const units = Math.max(1, Math.ceil(timeoutMs / DETECTION_UNIT_MS));
  if (units <= MAX_DETECTION_UNITS) return { p2: units, timesTen: false };
  return { p2: Math.min(MAX_DETECTION_UNITS, Math.ceil(units / 10)), timesTen: true };
}
