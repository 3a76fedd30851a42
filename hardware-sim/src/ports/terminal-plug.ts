import type { Transport } from '@tillbridge/wire/terminals/transports.js';

/** The plug of a terminal: one line to one host, which comes and goes; its path never changes once it was plugged in. */
export interface TerminalPlug {
  readonly transport: Transport;
  /** For the agent's configuration; stable across restarts and replugging. */
  readonly path: string;
  readonly plugged: boolean;
  /** Makes the line; does nothing while plugged in. */
  plug(): Promise<void>;
  /** Ends the line; does nothing while unplugged. */
  unplug(): Promise<void>;
}
