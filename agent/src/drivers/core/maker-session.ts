import type { CapkRecord } from '@tillbridge/protocol/crypto/emv/capk.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Transport } from '@tillbridge/protocol/terminals/transports.js';
import type {
  CompleteOutcome,
  DriverProgress,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalIdentity,
} from './driver.js';
import type { Result } from './result.js';

/** What the driver tells a running command, and hears from it. */
export interface CommandHooks {
  /** Tells the cashier what the terminal does. */
  readonly progress: (step: DriverProgress) => void;
  /** The till has asked to stop: asked between two messages to the device, where nothing blocks that could be interrupted. */
  readonly stopped: () => boolean;
}

/**
 * One maker's conversation with a terminal that has answered and is set up. The driver calls one command at a time;
 * `interrupt` may overtake `start` and `finish`. Nothing rejects for what a device, card or line can do.
 */
export interface MakerSession {
  readonly kind: 'open';
  readonly identity: TerminalIdentity;
  /** Runs the card up to the first cryptogram, PIN included. */
  start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome>;
  /** Called only after `start` ended as online-required, on the same session. */
  complete(result: OnlineResult, hooks: CommandHooks): Promise<CompleteOutcome>;
  /** Waits for the card to leave, shows `text`, returns the device to idle. */
  finish(text: string): Promise<Result<undefined>>;
  /** Stops what blocks on the device, if something does. The command that ran ends as it finds out. */
  interrupt(): Promise<void>;
  /** Shows the idle text. */
  showIdle(): Promise<Result<undefined>>;
  /** A cheap question that a living device answers. */
  checkAlive(): Promise<Result<undefined>>;
  /** Asks for battery, clock, keys and tampering, as far as the maker tells. */
  condition(): Promise<Result<TerminalCondition>>;
}

/** A maker's framing over one open pipe; it ends with the pipe. */
export interface MakerLine {
  /** Frees the device from whatever it does, asks what it is, loads what it needs. Called again after a fault. */
  openSession(): Promise<Result<MakerSession>>;
}

/** Lays a maker's framing over a pipe that was just opened. */
export type OpenMakerLine = (pipe: BytePipe) => MakerLine;

/** What a maker's side of a terminal is made with. */
export interface MakerParts {
  readonly clock: Clock;
  /** How the terminal is plugged in: framing may follow from it. */
  readonly transport: Transport;
  /** Shown while nothing runs. */
  readonly idleText: string;
  readonly place: TerminalPlace;
  /** Certification authorities whose cards the terminal trusts; those of test cards when absent. */
  readonly capks?: readonly CapkRecord[];
}

/** Where a terminal stands, for makers whose terminals are told by their host. */
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
export type OpenMaker = (parts: MakerParts) => OpenMakerLine;
