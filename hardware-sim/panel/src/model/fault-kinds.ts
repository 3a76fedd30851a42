import type { FaultName } from '../api/types.js';

/** What a fault does, and which numbers it listens to. */
export interface FaultKind {
  readonly name: FaultName;
  readonly words: string;
  /** Of the device: it lasts until the faults are replaced, and has no numbers. */
  readonly lasts?: true;
  readonly delays?: true;
}

/** Every fault, in the order in which the page shows them. */
export const FAULT_KINDS: readonly FaultKind[] = [
  { name: 'corrupt-crc', words: 'A frame arrives damaged' },
  { name: 'drop-ack', words: 'A confirmation is lost' },
  { name: 'delay', words: 'A frame is late', delays: true },
  { name: 'slow', words: 'A pause before each byte', delays: true },
  { name: 'split', words: 'A frame arrives in pieces' },
  { name: 'split-bytes', words: 'A frame arrives byte by byte' },
  { name: 'glue', words: 'Two frames arrive in one', delays: true },
  { name: 'repeat', words: 'A frame comes twice' },
  { name: 'unsolicited', words: 'An unsolicited frame goes first' },
  { name: 'reset', words: 'The device restarts' },
  { name: 'unplug', words: 'The plug is out for a while', delays: true },
  { name: 'tamper', words: 'The device finds itself opened', lasts: true },
  { name: 'key-exhausted', words: 'Its keys are used up', lasts: true },
  { name: 'low-battery', words: 'It reports a low battery', lasts: true },
];
