import {
  type Heartbeat,
  JournalVerdict,
  type WireJournalHead,
} from '@tillbridge/protocol/bridge/messages.js';
import { fromHex, toHex } from '@tillbridge/protocol/bytes.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { JournalHeadRow } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import type { BridgeLog } from './bridge-log.js';

/** What a heartbeat tells of the agent's journal. */
export interface ToldHead {
  readonly generation: number;
  readonly row: number;
  /** Empty while the agent cannot read its journal. */
  readonly hash: Uint8Array;
  /** The agent's own row where the gateway keeps the head. */
  readonly anchor?: WireJournalHead;
}

/** Says a contradiction in one word. */
export type JournalAlarm = NonNullable<JournalHeadRow['alarm']>;

/** What was made of a head, and the row to keep where that changed something. */
export interface HeadJudgement {
  readonly verdict: JournalVerdict;
  readonly keep?: JournalHeadRow;
  /** Taken without a proof. */
  readonly unproven?: boolean;
}

/**
 * Compares a head with the one that is kept (architecture §7). A higher row counts only with the hash of the kept one: without that
 * proof nothing is concluded, and the next heartbeat brings it. What contradicts never replaces what is kept.
 */
export function judgeHead(
  agentId: string,
  kept: JournalHeadRow | undefined,
  told: ToldHead,
  nowMs: number,
): HeadJudgement {
  if (told.hash.length === 0) return { verdict: JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED };
  if (!kept || kept.generation < told.generation) {
    const alarm = { alarm: null, alarmRow: null, alarmAtMs: null };
    const version = kept?.version ?? 1;
    return {
      verdict: JournalVerdict.CONTINUES,
      keep: { agentId, ...headOf(told, nowMs), ...alarm, version },
    };
  }
  if (told.row < kept.lastRow) return contradiction(kept, told, 'behind', nowMs);
  const proof = told.row === kept.lastRow ? told : told.anchor;
  if (proof && isBehindCheckpoint(kept, told, proof))
    return { verdict: JournalVerdict.CONTINUES, keep: { ...kept, ...headOf(told, nowMs) }, unproven: true };
  if (proof?.row !== kept.lastRow) return { verdict: JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED };
  if (toHex(proof.hash) !== kept.hash) return contradiction(kept, told, 'forked', nowMs);
  const verdict = JournalVerdict.CONTINUES;
  return told.row === kept.lastRow ? { verdict } : { verdict, keep: { ...kept, ...headOf(told, nowMs) } };
}

/**
 * The agent has removed the kept row, which it does for no row that the gateway has not kept a later one of: this gateway has forgotten,
 * as one that was put back from a backup has. It takes the word of the agent, or it would never compare anything again.
 */
function isBehindCheckpoint(kept: JournalHeadRow, told: ToldHead, { row }: WireJournalHead): boolean {
  return row > kept.lastRow && row <= told.row;
}

function headOf({ generation, row, hash }: ToldHead, updatedAtMs: number) {
  return { generation, lastRow: row, hash: toHex(hash), updatedAtMs };
}

/** The first contradiction stays on record; telling it again with every heartbeat would only wear the disk. */
function contradiction(
  kept: JournalHeadRow,
  told: ToldHead,
  alarm: JournalAlarm,
  nowMs: number,
): HeadJudgement {
  const verdict = alarm === 'behind' ? JournalVerdict.BEHIND : JournalVerdict.FORKED;
  if (kept.alarm !== null) return { verdict };
  return { verdict, keep: { ...kept, alarm, alarmRow: told.row, alarmAtMs: nowMs } };
}

/** What the heads are kept with. */
export interface JournalHeadsParts {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: BridgeLog;
}

/** The head that is kept now, as it goes over the wire, and the verdict. */
export interface HeadAnswer {
  readonly verdict: JournalVerdict;
  readonly kept?: WireJournalHead;
}

/** The heads of all agents' journals, in the store. */
export class JournalHeads {
  readonly #parts: JournalHeadsParts;

  constructor(parts: JournalHeadsParts) {
    this.#parts = parts;
  }

  /** The head that is kept of an agent's generation; `undefined` while there is none. @throws StoreUnavailableError */
  async kept(agentId: string, generation: number): Promise<WireJournalHead | undefined> {
    return wireHead(await this.#parts.store.get('journalHeads', [agentId]), generation);
  }

  /**
   * Takes a heartbeat's head in. The session's epoch fences the write: what an older session said last changes nothing.
   * @throws StoreUnavailableError
   */
  async take(
    session: { readonly agentId: string; readonly epoch: number; readonly generation: number },
    heartbeat: Heartbeat,
  ): Promise<HeadAnswer> {
    const { store, clock } = this.#parts;
    const { agentId, generation } = session;
    const { journalRow: row, journalHash: hash, anchor } = heartbeat;
    const before = await store.get('journalHeads', [agentId]);
    const told: ToldHead = { generation, row, hash, ...(anchor && { anchor }) };
    const { verdict, keep, unproven } = judgeHead(agentId, before, told, clock.nowMs());
    if (!keep) return answer(verdict, before, generation);
    const fence = {
      op: 'require-field',
      table: 'agents',
      key: [agentId],
      column: 'epoch',
      equals: session.epoch,
    } as const;
    const change: Change = { op: before ? 'update' : 'insert', table: 'journalHeads', row: keep };
    try {
      await store.commit([fence, change]);
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      // A newer session of the agent is there, and tells for itself.
      return { verdict: JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED };
    }
    this.#tell(before, keep, unproven ?? false);
    return answer(verdict, keep, generation);
  }

  #tell(before: JournalHeadRow | undefined, now: JournalHeadRow, unproven: boolean): void {
    const { log } = this.#parts;
    const { agentId, generation, lastRow, alarm, alarmRow } = now;
    if (alarm !== null && before?.alarm !== alarm) {
      log.error({ agentId, generation, lastRow, alarmRow, alarm }, ALARM_TEXTS[alarm]);
    } else if (unproven) {
      const about = { agentId, generation, lastRow, keptRow: before?.lastRow };
      log.warn(about, 'head of a journal taken without a proof: the agent has removed the row that was kept');
    } else if (before && before.generation < generation) {
      const about = {
        agentId,
        generation,
        lastRow,
        formerGeneration: before.generation,
        formerRow: before.lastRow,
      };
      log.warn(about, 'a new generation of the journal begins');
    }
  }
}

/** What an operator reads of an alarm. */
export const ALARM_TEXTS: Readonly<Record<JournalAlarm, string>> = {
  behind:
    'the journal of the agent ends before the row that was kept of it: rows were lost, or an old copy is in use',
  forked:
    'the journal of the agent differs from the row that was kept of it: it was changed, or two copies are in use',
};

function answer(verdict: JournalVerdict, row: JournalHeadRow | undefined, generation: number): HeadAnswer {
  const kept = wireHead(row, generation);
  return { verdict, ...(kept && { kept }) };
}

function wireHead(row: JournalHeadRow | undefined, generation: number): WireJournalHead | undefined {
  return row?.generation === generation ? { row: row.lastRow, hash: fromHex(row.hash) } : undefined;
}
