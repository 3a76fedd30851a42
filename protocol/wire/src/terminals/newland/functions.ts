import { nameByCode } from '../code-table.js';

/** An EMV function of the pad: the first byte of the body of L0 and L1. */
interface FunctionSpec {
  readonly id: number;
  readonly name: string;
}

/** Functions of the L3 module (the demo's function ids). */
export const FUNCTIONS = {
  setTerminalConfig: { id: 0x01, name: 'SET TERMINAL CONFIG' },
  getTerminalConfig: { id: 0x02, name: 'GET TERMINAL CONFIG' },
  updateAid: { id: 0x03, name: 'UPDATE AID' },
  getAid: { id: 0x04, name: 'GET AID' },
  removeAid: { id: 0x05, name: 'REMOVE AID' },
  removeAllAids: { id: 0x06, name: 'REMOVE ALL AIDS' },
  updateCapk: { id: 0x07, name: 'UPDATE CAPK' },
  getCapk: { id: 0x08, name: 'GET CAPK' },
  removeCapk: { id: 0x09, name: 'REMOVE CAPK' },
  removeAllCapks: { id: 0x0a, name: 'REMOVE ALL CAPKS' },
  countAids: { id: 0x13, name: 'COUNT AIDS' },
  countCapks: { id: 0x14, name: 'COUNT CAPKS' },
  debugOutput: { id: 0x21, name: 'DEBUG OUTPUT' },
  initialise: { id: 0x22, name: 'INITIALISE L3' },
  setData: { id: 0x23, name: 'SET DATA' },
  getData: { id: 0x24, name: 'GET DATA' },
  setTlvList: { id: 0x25, name: 'SET TLV LIST' },
  getTlvList: { id: 0x26, name: 'GET TLV LIST' },
  setDebugMode: { id: 0x27, name: 'SET DEBUG MODE' },
  kernelVersion: { id: 0x28, name: 'KERNEL VERSION' },
  perform: { id: 0x31, name: 'PERFORM TRANSACTION' },
  complete: { id: 0x32, name: 'COMPLETE TRANSACTION' },
  terminate: { id: 0x33, name: 'TERMINATE TRANSACTION' },
  callback: { id: 0x36, name: 'CALLBACK' },
} as const satisfies Readonly<Record<string, FunctionSpec>>;

/** Modules whose version KERNEL VERSION reports (`emvl3.h`). */
export const KERNEL_MODULES = ['api', 'emv', 'entry-point'] as const;

/** A function's name in {@link FUNCTIONS}. */
export type FunctionName = keyof typeof FUNCTIONS;

const find = nameByCode(FUNCTIONS, ({ id }) => id);

/** The function of an id; undefined for one that is not published. */
export function functionName(id: number | undefined): FunctionName | undefined {
  return id === undefined ? undefined : find(id);
}

/** Functions that the pad sends by itself: no host confirms them. */
export function isNotification(id: number | undefined): boolean {
  return id === FUNCTIONS.debugOutput.id || id === FUNCTIONS.callback.id;
}
