import type { CapkRecord } from '@tillbridge/wire/crypto/emv/capk.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type {
  CardData,
  CompleteOutcome,
  DeviceOutcome,
  DriverProgress,
  OnlineResult,
  Question,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalIdentity,
} from './driver.js';
import type { Result } from './result.js';
import type { TransactionValues } from './transaction-values.js';

/** What the driver gives a running command. */
export interface CommandHooks {
  /** Reports a step to the cashier. */
  readonly progress: (step: DriverProgress) => void;
  /** True once the till has cancelled. A maker checks it between two messages, where nothing blocks on the device. */
  readonly stopped: () => boolean;
}

/** What the driver gives a sale. */
export interface SaleHooks extends CommandHooks {
  /** Milliseconds that remain to wait for a card; at least 1. */
  readonly leftMs: () => number;
}

/** A sale as the driver gives it to a maker. */
export interface Sale {
  readonly request: StartRequest;
  /** The request as EMV objects. */
  readonly values: TransactionValues;
  readonly hooks: SaleHooks;
}

/** A sale on a maker's link. */
export interface SaleOn<L> extends Sale {
  readonly link: L;
}

/**
 * One maker's conversation with a terminal that has answered and is set up. The driver calls one command at a time;
 * `interrupt` may overtake `start` and `finish`. Nothing rejects for what a device, card or line can do.
 */
export interface MakerSession {
  readonly identity: TerminalIdentity;
  /** Runs the card up to the first cryptogram, PIN included. */
  start(sale: Sale): Promise<StartOutcome>;
  /** Gives `card` the issuer's answer. Called only after `start` of the same session read it as online-required. */
  complete(result: OnlineResult, card: CardData, hooks: CommandHooks): Promise<CompleteOutcome>;
  /** Waits for the card to leave, shows `text`, returns the device to idle. */
  finish(text: string, hooks: CommandHooks): Promise<Result<undefined>>;
  /** Stops what blocks on the device, if something does. The running command then ends by itself. */
  interrupt(): Promise<void>;
  /** Shows a text of the till. Absent: the device shows only its own texts. */
  showText?(text: string): Promise<Result<undefined>>;
  /** Restarts the device; the line may end. Absent: the protocol has no such command. */
  reset?(): Promise<Result<undefined>>;
  /** Puts a question to the person in front of the terminal; `unavailable` for questions that the protocol does not have. Absent: it has none. */
  ask?(question: Question, hooks: CommandHooks): Promise<DeviceOutcome>;
  /** Prints lines; `unavailable` where the device has no printer. Absent: the protocol prints nothing. */
  print?(lines: readonly string[]): Promise<DeviceOutcome>;
  /** Reads a card and no more. Absent: the protocol reads cards only for a transaction. */
  readCard?(sale: Sale): Promise<DeviceOutcome>;
  /** Shows the idle text. */
  showIdle(): Promise<Result<undefined>>;
  /** Sends a short question that a working device answers. */
  checkAlive(): Promise<Result<undefined>>;
  /** Reads battery, clock, keys and tampering, as far as the maker reports them. */
  condition(): Promise<Result<TerminalCondition>>;
}

/** Frees the device, identifies it and loads what it needs. Called again after a fault of the line. */
export type OpenMakerSession = () => Promise<Result<MakerSession>>;

/** Puts a maker's framing on an open pipe; it ends with the pipe. */
export type OpenMakerLine = (pipe: BytePipe) => OpenMakerSession;

/** What a maker's side of a terminal is made with. */
export interface MakerDeps {
  readonly clock: Clock;
  /** How the terminal is plugged in: framing may follow from it. */
  readonly transport: Transport;
  /** Shown while nothing runs. */
  readonly idleText: string;
  readonly place: TerminalPlace;
  /** Certification authorities whose cards the terminal trusts; those of test cards when absent. */
  readonly capks?: readonly CapkRecord[];
}

/** The place of a terminal, for makers whose terminals get it from their host. */
export interface TerminalPlace {
  /** ISO 3166-1 numeric, three digits (tag 9F1A). */
  readonly country: string;
  /** ISO 4217 alpha-3. */
  readonly currency: string;
  /** Tag 9F15, four digits. */
  readonly merchantCategory: string;
  /** Tag 9F16, up to 15 characters. */
  readonly merchantId: string;
  /** Tag 9F1C, up to 8 characters. */
  readonly terminalId: string;
}

/**
 * What a maker's `session.ts` gives the table of terminals.
 * @throws TerminalFormatError for a configuration that the maker's protocol cannot carry
 */
export type OpenMaker = (deps: MakerDeps) => OpenMakerLine;
