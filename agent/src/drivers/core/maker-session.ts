import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type {
  CompleteOutcome,
  DriverProgress,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalIdentity,
} from './driver.js';
import type { Failed } from './result.js';

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
  finish(text: string): Promise<Failed | undefined>;
  /** Stops what blocks on the device, if something does. The command that ran ends as it finds out. */
  interrupt(): Promise<void>;
  /** Shows the idle text. */
  showIdle(): Promise<Failed | undefined>;
  /** A cheap question that a living device answers. */
  checkAlive(): Promise<Failed | undefined>;
  /** Asks for battery, clock, keys and tampering, as far as the maker tells. */
  condition(): Promise<TerminalCondition | Failed>;
}

/** A maker's framing over one open pipe; it ends with the pipe. */
export interface MakerLine {
  /** Frees the device from whatever it does, asks what it is, loads what it needs. Called again after a fault. */
  openSession(): Promise<MakerSession | Failed>;
}

/** Lays a maker's framing over a pipe that was just opened. */
export type OpenMakerLine = (pipe: BytePipe) => MakerLine;
