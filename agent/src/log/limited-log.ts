import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { AgentLog } from './log.js';

/** Lines of one kind in a window; the others are counted. */
export const LIMITED_LOG = { linesPerWindow: 10, windowMs: 60_000 } as const;

interface Window {
  readonly text: string;
  readonly about: Kind;
  lines: number;
  unlogged: number;
}

/** What distinguishes lines of one text; both are of few values. */
interface Kind {
  readonly code?: string | undefined;
  readonly condition?: string | undefined;
}

/** The fields of a line. */
interface About extends Kind {
  readonly [name: string]: unknown;
}

/** What strangers can cause a line of. Beyond {@link LIMITED_LOG} lines of one kind are counted, and the count is a line at the end of the window. */
export class LimitedLog {
  readonly #log: Pick<AgentLog, 'warn' | 'error'>;
  readonly #clock: Pick<Clock, 'setTimer'>;
  /** By text and kind: texts are constants, so that there are few. */
  readonly #windows = new Map<string, Window>();
  #timer: Timer | undefined;

  constructor(log: Pick<AgentLog, 'warn' | 'error'>, clock: Pick<Clock, 'setTimer'>) {
    this.#log = log;
    this.#clock = clock;
  }

  warn(about: About, text: string): void {
    if (this.#allows(about, text)) this.#log.warn(about, text);
  }

  error(about: About, text: string): void {
    if (this.#allows(about, text)) this.#log.error(about, text);
  }

  /** Ends the window: logs what was counted. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const { text, about, unlogged } of this.#windows.values())
      if (unlogged > 0) this.#log.warn({ ...about, unlogged }, text);
    this.#windows.clear();
  }

  #allows({ code, condition }: Kind, text: string): boolean {
    this.#timer ??= this.#clock.setTimer(LIMITED_LOG.windowMs, () => this.close());
    const about = { ...(code && { code }), ...(condition && { condition }) };
    const kind = `${text} ${code} ${condition}`;
    const window = this.#windows.get(kind) ?? { text, about, lines: 0, unlogged: 0 };
    this.#windows.set(kind, window);
    if (window.lines < LIMITED_LOG.linesPerWindow) window.lines += 1;
    else window.unlogged += 1;
    return window.unlogged === 0;
  }
}
