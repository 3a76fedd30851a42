import type { JournalRow } from '@tillbridge/agent/journal/journal.js';
import type { AcquirerAnswer, AcquirerRequest } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { AcquirerRequestKind } from '@tillbridge/gateway/core/acquirers/request-kinds.js';
import { type Envelope, GoodbyeCode } from '@tillbridge/wire/bridge/messages.js';
import { GatewaySituations } from './gateway-situations.js';
import { JournalSituations } from './journal-situations.js';
import type { RareSituation, SituationCounts } from './rare-situations.js';

/** Situations of a lost answer, by the request. */
const LOST_ANSWERS: Readonly<Partial<Record<AcquirerRequestKind, RareSituation>>> = {
  capture: 'capture, answer lost',
  refund: 'refund, answer lost',
  reversal: 'reversal, answer lost',
};

/** Why the gateway ends a session that another machine or connection of the agent has replaced. */
const REPLACED: ReadonlySet<GoodbyeCode> = new Set([GoodbyeCode.SUPERSEDED, GoodbyeCode.FENCED]);

/** Counts the rare situations of one simulation from what is seen on its disks, wires and machines, not from what was planned. */
export class SituationRecorder {
  readonly gateway = new GatewaySituations((situation) => this.saw(situation));
  readonly #journals = new JournalSituations(
    (situation) => this.saw(situation),
    (messageId) => this.#left.has(messageId),
  );
  readonly #counts: Partial<Record<RareSituation, number>> = {};
  readonly #cloned: ReadonlySet<string>;
  /** Messages that a store has handed to a socket. */
  readonly #left = new Set<string>();

  /** @param cloned agents whose identity two machines have */
  constructor(cloned: ReadonlySet<string>) {
    this.#cloned = cloned;
  }

  get counts(): SituationCounts {
    return this.#counts;
  }

  /** A situation happened. */
  saw(situation: RareSituation): void {
    this.#counts[situation] = (this.#counts[situation] ?? 0) + 1;
  }

  /** The journal of a store has taken rows. */
  journaled(store: string, rows: readonly JournalRow[]): void {
    this.#journals.journaled(store, rows);
  }

  /** A message was handed to a socket: `up` by the agent of a store, `down` by the gateway. */
  sent(store: string, agentId: string, way: 'up' | 'down', { kind, id, body }: Envelope): void {
    if (way === 'up') this.#left.add(id);
    if (kind !== 'goodbye' || way === 'up' || !REPLACED.has(body.code)) return;
    this.saw('sessions of one agent overlapped');
    if (this.#cloned.has(agentId) && this.#journals.hasSold(store))
      this.saw('clone sold and lost its session');
  }

  /** The acquirer answered, and the gateway will never receive the answer. */
  answerLost({ kind }: AcquirerRequest, { approved, approvedMinor }: AcquirerAnswer): void {
    const situation = approvedMinor === undefined ? LOST_ANSWERS[kind] : 'partial approval, answer lost';
    if (approved && situation) this.saw(situation);
  }

  /** The wall clock of a machine was set. */
  clockJumped(machine: string): void {
    if (this.#journals.hasOfflineRecords(machine)) this.saw('clock jump over offline records');
  }
}
