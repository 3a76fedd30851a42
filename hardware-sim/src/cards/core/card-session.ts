import type { CryptogramType } from '@tillbridge/wire/emv/cid.js';
import type { StateSlot } from '../../state/state-slot.js';
import type { ApplicationProfile } from './application-profile.js';
import type { CardKeys } from './card-keys.js';
import { type CardState, NEW_CARD } from './card-state.js';

/** A chip, its keys, memory and session: the input of every command handler. */
export interface ChipContext {
  readonly profile: ApplicationProfile;
  readonly keys: CardKeys;
  readonly memory: CardMemory;
  readonly session: CardSession;
}

/** What the chip forgets at a reset. */
interface CardSession {
  selected: 'none' | 'directory' | 'application';
  /** Set by GET PROCESSING OPTIONS. */
  initiated: boolean;
  /** The transaction's own number, taken by GET PROCESSING OPTIONS; another session may have moved the memory's on. */
  atc: number;
  /** Values by tag that the terminal gave through PDOL and CDOLs. */
  readonly terminalValues: Map<string, Uint8Array>;
  /** Data of GET PROCESSING OPTIONS and GENERATE AC in their order: what a combined signature covers. */
  readonly transactionInputs: Uint8Array[];
  offlinePin: 'not-performed' | 'successful' | 'failed';
  first: { readonly type: CryptogramType; readonly cryptogram: Buffer } | undefined;
  second: CryptogramType | undefined;
  issuerAuthentication: 'not-performed' | 'successful' | 'failed';
  issuerApproved: boolean;
  scriptCommands: number;
  scriptFailed: boolean;
}

/** An ATC as the two bytes of tags 9F36 and 9F13. */
export function atcBytes(atc: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(atc);
  return bytes;
}

/** The ATC of the running transaction. */
export function transactionAtc({ session }: ChipContext): Buffer {
  return atcBytes(session.atc);
}

/** A chip right after its reset. */
export function newSession(): CardSession {
  return {
    selected: 'none',
    initiated: false,
    atc: 0,
    terminalValues: new Map(),
    transactionInputs: [],
    offlinePin: 'not-performed',
    first: undefined,
    second: undefined,
    issuerAuthentication: 'not-performed',
    issuerApproved: false,
    scriptCommands: 0,
    scriptFailed: false,
  };
}

/** The chip's non-volatile memory: every change is on disk before the command that made it is answered. */
export class CardMemory {
  readonly #slot: StateSlot<CardState>;
  readonly #personalised: CardState;

  /** @param personalised what differs from a new card as delivered */
  constructor(slot: StateSlot<CardState>, personalised: Partial<CardState> = {}) {
    this.#slot = slot;
    this.#personalised = { ...NEW_CARD, ...personalised };
  }

  /** @throws StateError */
  get state(): CardState {
    return this.#slot.read() ?? this.#personalised;
  }

  /** @throws StateError */
  change(changes: Partial<CardState>): void {
    this.#slot.write({ ...this.state, ...changes });
  }
}
