import { backoffMs } from '@tillbridge/platform/backoff.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { LineProbe } from '../../ports/line-probe.js';
import type { PortState, PortSupervisor } from '../../ports/port-supervisor.js';
import { FIRST_SESSION_RETRY_MS, MAX_SESSION_RETRY_MS, SESSIONS_PER_PORT } from './limits.js';
import type { MakerSession, OpenMakerLine, OpenMakerSession } from './maker-session.js';
import { type Failed, isFailed } from './result.js';

/** Where the logs go; a pino logger fits. */
export interface DriverLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** State of the connection. */
export type ConnectionPhase = 'disconnected' | 'connecting' | 'ready';

/** What a connection needs. */
interface ConnectionOptions {
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly openLine: OpenMakerLine;
  readonly log: DriverLog;
  readonly onPhase: (phase: ConnectionPhase) => void;
  /** Finds out how the line is set: see `SessionDriverDeps`. */
  readonly probe?: Pick<LineProbe, 'isFound' | 'answered'>;
}

interface OpenPort {
  readonly pipe: BytePipe;
  readonly openSession: OpenMakerSession;
}

/** Keeps a session open on a supervised port: opens it, opens it again after faults, reopens a port without answers. */
export class TerminalConnection {
  phase: ConnectionPhase = 'disconnected';
  /** The open session, replaced after every fault: compare by identity. Undefined while there is none. */
  ready: MakerSession | undefined;
  /** Why the terminal is not ready, for a person. */
  problem = 'the port is not open yet';
  private readonly options: ConnectionOptions;
  private open: OpenPort | undefined;
  private failures = 0;
  private retry: Timer | undefined;
  private closed = false;

  constructor(options: ConnectionOptions) {
    this.options = options;
  }

  /** Begins to follow the port. */
  start(): void {
    const { port } = this.options;
    port.onState((state) => this.portChanged(state));
    this.portChanged(port.state);
  }

  /** A command on `session` met a fault of the line: the session is opened again. */
  broken(session: MakerSession, problem: Failed): void {
    if (this.ready !== session || !this.open) return;
    this.options.log.warn({ failure: problem.failure, detail: problem.detail }, 'terminal session lost');
    this.problem = problem.detail;
    this.ready = undefined;
    this.become('connecting');
    void this.openSession(this.open);
  }

  /** Ends the connection and its port. */
  async close(): Promise<void> {
    this.closed = true;
    this.retry?.cancel();
    this.ready = undefined;
    this.open = undefined;
    await this.options.port.close();
  }

  private portChanged(state: PortState): void {
    if (this.closed) return;
    if (state.kind === 'open') {
      this.portOpened(state.pipe);
      return;
    }
    if (state.kind === 'waiting') this.problem = state.reason;
    this.retry?.cancel();
    this.open = undefined;
    this.ready = undefined;
    if (this.phase !== 'disconnected') {
      this.options.log.warn({ problem: this.problem }, 'terminal port lost');
      this.become('disconnected');
    }
  }

  private portOpened(pipe: BytePipe): void {
    this.open = { pipe, openSession: this.options.openLine(pipe) };
    this.failures = 0;
    this.become('connecting');
    void this.openSession(this.open);
  }

  private async openSession(open: OpenPort): Promise<void> {
    const session = await open.openSession();
    if (this.open !== open || this.closed) return;
    if (isFailed(session)) {
      this.sessionFailed(open, session);
      return;
    }
    this.failures = 0;
    this.ready = session;
    this.options.probe?.answered();
    this.options.log.info({ pipe: open.pipe.name, identity: session.identity }, 'terminal ready');
    this.become('ready');
  }

  private sessionFailed(open: OpenPort, problem: Failed): void {
    this.failures += 1;
    this.problem = problem.detail;
    const { failures } = this;
    this.options.log.warn(
      { failure: problem.failure, detail: problem.detail, failures },
      'no terminal session',
    );
    const sessions = this.options.probe?.isFound === false ? 1 : SESSIONS_PER_PORT;
    if (failures % sessions === 0) {
      this.options.port.reopen(problem.detail);
      return;
    }
    const waitMs = backoffMs(failures, FIRST_SESSION_RETRY_MS, MAX_SESSION_RETRY_MS);
    this.retry = this.options.clock.setTimer(waitMs, () => void this.openSession(open));
  }

  private become(phase: ConnectionPhase): void {
    this.phase = phase;
    this.options.onPhase(phase);
  }
}
