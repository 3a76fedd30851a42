import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import type { AgentLog } from './log.js';

/** Lines of one text in a window; the others are counted. */
export const LIMITED_LOG = { linesPerWindow: 10, windowMs: 60_000 } as const;

interface Window {
  lines: number;
  unlogged: number;
}

/** What strangers can cause a line of. Beyond {@link LIMITED_LOG} lines of one text are counted, and the count is a line at the end of the window. */
export class LimitedLog {
  readonly #log: Pick<AgentLog, 'warn' | 'error'>;
  readonly #clock: Pick<Clock, 'setTimer'>;
  /** By text: texts are constants, so that there are few. */
  readonly #windows = new Map<string, Window>();
  #timer: Timer | undefined;

  constructor(log: Pick<AgentLog, 'warn' | 'error'>, clock: Pick<Clock, 'setTimer'>) {
    this.#log = log;
    this.#clock = clock;
  }

  warn(about: object, text: string): void {
    if (this.#allows(text)) this.#log.warn(about, text);
  }

  error(about: object, text: string): void {
    if (this.#allows(text)) this.#log.error(about, text);
  }

  /** Ends the window: tells what was counted. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const [text, { unlogged }] of this.#windows) if (unlogged > 0) this.#log.warn({ unlogged }, text);
    this.#windows.clear();
  }

  #allows(text: string): boolean {
    this.#timer ??= this.#clock.setTimer(LIMITED_LOG.windowMs, () => this.close());
    const window = this.#windows.get(text) ?? { lines: 0, unlogged: 0 };
    this.#windows.set(text, window);
    if (window.lines < LIMITED_LOG.linesPerWindow) window.lines += 1;
    else window.unlogged += 1;
    return window.unlogged === 0;
  }
}
