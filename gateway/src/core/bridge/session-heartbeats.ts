import { Pace } from '@tillbridge/platform/net/pace.js';
import {
  type Bodies,
  type Heartbeat,
  JournalVerdict,
  type StoreTodos,
} from '@tillbridge/wire/bridge/messages.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import { type Store, StoreUnavailableError } from '../../kernel/store/store.js';
import type { BridgeLog } from './bridge-log.js';
import type { BridgeSocket } from './bridge-socket.js';
import { ClockWatch } from './clock-watch.js';
import type { HeadAnswer, JournalHeads } from './journal-heads.js';
import type { BridgeLimits } from './limits/bridge-limits.js';
import type { OpenSession } from './session-machine.js';
import { storeTodos } from './todos/store-todos.js';

/** What {@link SessionHeartbeats} works with. */
interface SessionHeartbeatsDeps {
  readonly clock: Clock;
  readonly heads: JournalHeads;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly limits: BridgeLimits;
  readonly log: BridgeLog;
  readonly socket: Pick<BridgeSocket, 'peer'>;
  readonly store: Pick<Store, 'get'>;
  /** The session while it is open. */
  readonly session: () => OpenSession | undefined;
  /** Runs work that fails only with the store. */
  readonly run: (work: Promise<void>) => void;
  readonly send: (answer: Bodies['heartbeatAnswer']) => void;
}

/** Answers the heartbeats of a session one by one; of those that wait the last one counts. */
export class SessionHeartbeats {
  /** The last one, or the status in the result of a later command. */
  last: Heartbeat | undefined;
  /** Verdict on the journal's head in the last heartbeat. */
  verdict: JournalVerdict = JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED;
  /** Of the agent's journal, once the session is committed. */
  generation = 0;
  readonly #deps: SessionHeartbeatsDeps;
  readonly #pace: Pace;
  readonly #clock: ClockWatch;
  #waiting: Heartbeat | undefined;
  #isAnswering = false;
  /** Something may be left to do: to look costs a read for each terminal. */
  #mayHaveTodos = true;

  constructor(deps: SessionHeartbeatsDeps) {
    this.#deps = deps;
    const { heartbeatsPerSecond, heartbeatsBurst, clockToleranceMs } = deps.limits;
    this.#pace = new Pace({ perSecond: heartbeatsPerSecond, burst: heartbeatsBurst });
    this.#clock = new ClockWatch(deps.alerts, clockToleranceMs);
  }

  /** Answers a heartbeat; false where they come too fast. */
  take(heartbeat: Heartbeat): boolean {
    if (this.#pace.count(this.#deps.clock.monotonicMs()) > 0) return false;
    this.last = heartbeat;
    this.#waiting = heartbeat;
    if (!this.#isAnswering) this.#deps.run(this.#answerAll());
    return true;
  }

  /** Account data of this agent was refused: a person may have something to do. */
  accountDataRefused(): void {
    this.#mayHaveTodos = true;
  }

  async #answerAll(): Promise<void> {
    this.#isAnswering = true;
    try {
      for (let next = this.#waiting; next; next = this.#waiting) {
        this.#waiting = undefined;
        await this.#answer(next);
      }
    } finally {
      this.#isAnswering = false;
    }
  }

  async #answer(heartbeat: Heartbeat): Promise<void> {
    const session = this.#deps.session();
    if (!session) return;
    await this.#clock.reported(session, heartbeat.timeMs, this.#deps.clock.nowMs());
    const { kept, verdict, countersigned } = await this.#judge(session, heartbeat);
    this.verdict = verdict;
    const todos = await this.#todos(session);
    this.#deps.send({
      timeMs: this.#deps.clock.nowMs(),
      journalVerdict: verdict,
      ...(kept && { journalHead: kept }),
      ...(countersigned && { countersigned }),
      ...(todos && { todos }),
    });
  }

  /** What is left to do in the store; undefined where nothing has changed since it was sent, or the store is away. */
  async #todos({ agentId, terminals }: OpenSession): Promise<StoreTodos | undefined> {
    if (!this.#mayHaveTodos) return undefined;
    // A refusal that is committed while this reads is looked at with the next heartbeat.
    this.#mayHaveTodos = false;
    try {
      const found = await storeTodos(this.#deps.store, agentId, terminals);
      if (found.todos.length > 0) this.#mayHaveTodos = true;
      return found;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.#mayHaveTodos = true;
      return undefined;
    }
  }

  async #judge(session: OpenSession, heartbeat: Heartbeat): Promise<HeadAnswer> {
    const { heads, log, socket } = this.#deps;
    try {
      return await heads.take({ ...session, generation: this.generation }, heartbeat);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // A heartbeat is answered whatever the disk does; the next one brings the head again.
      const { agentId, epoch } = session;
      log.warn({ peer: socket.peer, agentId, epoch, err: error }, 'head of a journal not stored');
      return { verdict: JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED };
    }
  }
}
