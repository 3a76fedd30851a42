import type { KeyObject } from 'node:crypto';
import { countersignHead } from '@tillbridge/wire/bridge/countersigned-head.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import {
  type Heartbeat,
  JournalVerdict,
  type WireCountersignedHead,
  type WireJournalHead,
  type WireJournalTree,
} from '@tillbridge/wire/bridge/messages.js';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { clearAlert, raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { ALERT_TABLE, type AlertCode } from '../../kernel/alerts/alert-table.js';
import type { JournalHeadRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import { epochFence } from '../payments/rules/message-changes.js';
import type { BridgeLog } from './bridge-log.js';
import { decideTree, sentHead, storedHead } from './heads/countersign.js';
import type { OpenSession } from './session-machine.js';

/** The head of the agent's journal in a heartbeat. */
export interface ReportedHead {
  readonly generation: number;
  readonly row: number;
  /** Empty while the agent cannot read its journal. */
  readonly hash: Uint8Array;
  /** The agent's own copy of the row that the gateway keeps. */
  readonly anchor?: WireJournalHead;
}

/** Kind of a contradiction. */
type JournalAlarm = NonNullable<JournalHeadRow['alarm']>;

/** The verdict on a head, and the row to store where it changed. */
interface HeadJudgement {
  readonly verdict: JournalVerdict;
  readonly keep?: JournalHeadRow;
  /** Accepted without a proof. */
  readonly unproven?: boolean;
}

/**
 * Compares a head with the stored one (docs/bridge.md). A higher row counts only together with the hash of the stored row. Without that
 * proof there is no verdict, and the next heartbeat brings it. A contradicting head never replaces the stored one.
 */
export function judgeHead(
  agentId: string,
  kept: JournalHeadRow | undefined,
  reported: ReportedHead,
  nowMs: number,
): HeadJudgement {
  if (reported.hash.length === 0) return { verdict: JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED };
  if (!kept || kept.generation < reported.generation) {
    const noAlarm = { alarm: null, alarmRow: null, alarmAtMs: null, countersignedRow: null };
    const keep = { agentId, ...headOf(reported, nowMs), ...noAlarm, version: kept?.version ?? 1 };
    return { verdict: JournalVerdict.CONTINUES, keep };
  }
  if (reported.row < kept.lastRow) return contradiction(kept, reported, 'behind', nowMs);
  const proof = reported.row === kept.lastRow ? reported : reported.anchor;
  if (proof && isBehindCheckpoint(kept, reported, proof))
    return {
      verdict: JournalVerdict.CONTINUES,
      keep: { ...kept, ...headOf(reported, nowMs) },
      unproven: true,
    };
  if (proof?.row !== kept.lastRow) return { verdict: JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED };
  if (toHex(proof.hash) !== kept.hash) return contradiction(kept, reported, 'forked', nowMs);
  const verdict = JournalVerdict.CONTINUES;
  return reported.row === kept.lastRow
    ? { verdict }
    : { verdict, keep: { ...kept, ...headOf(reported, nowMs) } };
}

/**
 * Whether the agent has removed the stored row. It removes a row only after the gateway has stored a later one, so this gateway was
 * restored from a backup. It accepts the agent's head, or it could never compare again.
 */
function isBehindCheckpoint(kept: JournalHeadRow, reported: ReportedHead, { row }: WireJournalHead): boolean {
  return row > kept.lastRow && row <= reported.row;
}

function headOf({ generation, row, hash }: ReportedHead, updatedAtMs: number) {
  return { generation, lastRow: row, hash: toHex(hash), updatedAtMs };
}

/** Stores the first contradiction only: storing it again with every heartbeat would wear the disk. */
function contradiction(
  kept: JournalHeadRow,
  reported: ReportedHead,
  alarm: JournalAlarm,
  nowMs: number,
): HeadJudgement {
  const verdict = alarm === 'behind' ? JournalVerdict.BEHIND : JournalVerdict.FORKED;
  if (kept.alarm !== null) return { verdict };
  return { verdict, keep: { ...kept, alarm, alarmRow: reported.row, alarmAtMs: nowMs } };
}

/** What {@link JournalHeads} works with. */
interface JournalHeadsDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: BridgeLog;
  /** Ed25519, by which the gateway proves itself. */
  readonly trust: { readonly signingKey: KeyObject };
}

/** The stored head as it is sent to the agent, and the verdict. */
export interface HeadAnswer {
  readonly verdict: JournalVerdict;
  readonly kept?: WireJournalHead;
  /** A head that the gateway has signed, where the heartbeat offered one. */
  readonly countersigned?: WireCountersignedHead;
}

/** Whose journal it is. */
type JournalSession = Pick<OpenSession, 'agentId' | 'entityId' | 'epoch'> & { readonly generation: number };

/** Stores and compares the heads of the agents' journals. */
export class JournalHeads {
  readonly #deps: JournalHeadsDeps;
  readonly #ownKeys: readonly Uint8Array[];
  /** By agent, the head that a tree did not go on from: what is offered after it, the same or another, comes with every heartbeat. */
  readonly #refused = new Map<string, string>();

  constructor(deps: JournalHeadsDeps) {
    this.#deps = deps;
    this.#ownKeys = [spkiOf(deps.trust.signingKey)];
  }

  /** The stored head of an agent's generation; undefined while there is none. @throws StoreUnavailableError */
  async kept(agentId: string, generation: number): Promise<WireJournalHead | undefined> {
    return wireHead(await this.#deps.store.get('journalHeads', [agentId]), generation);
  }

  /**
   * Compares a heartbeat's head and stores it. The session's epoch fences the write: an older session changes nothing.
   * @throws StoreUnavailableError
   */
  async take(session: JournalSession, heartbeat: Heartbeat): Promise<HeadAnswer> {
    const answer = await this.#compare(session, heartbeat);
    const { tree } = heartbeat;
    if (!tree || answer.verdict !== JournalVerdict.CONTINUES) return answer;
    const countersigned = await this.#countersign(session, heartbeat.journalRow, tree);
    return { ...answer, ...(countersigned && { countersigned }) };
  }

  async #compare(session: JournalSession, heartbeat: Heartbeat): Promise<HeadAnswer> {
    const { store, clock } = this.#deps;
    const { agentId, generation } = session;
    const { journalRow: row, journalHash: hash, anchor } = heartbeat;
    const before = await store.get('journalHeads', [agentId]);
    const reported: ReportedHead = { generation, row, hash, ...(anchor && { anchor }) };
    const nowMs = clock.nowMs();
    const { verdict, keep, unproven } = judgeHead(agentId, before, reported, nowMs);
    if (!keep) return answer(verdict, before, generation);
    const change: Change = { op: before ? 'update' : 'insert', table: 'journalHeads', row: keep };
    try {
      const alerts = alertChanges(session.entityId, before, keep, unproven ?? false, nowMs);
      await store.commit([epochFence(session), change, ...alerts]);
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      // A newer session of the agent is open and sends its own heads.
      return { verdict: JournalVerdict.JOURNAL_VERDICT_UNSPECIFIED };
    }
    this.#log(before, keep, unproven ?? false);
    return answer(verdict, keep, generation);
  }

  /** Signs the head of a tree that goes on from the last one; the head to answer with. */
  async #countersign(
    session: JournalSession,
    journalRow: number,
    tree: WireJournalTree,
  ): Promise<WireCountersignedHead | undefined> {
    const { store, clock, trust } = this.#deps;
    const { agentId, generation } = session;
    const nowMs = clock.nowMs();
    const kept = await store.get('journalHeads', [agentId]);
    if (kept?.generation !== generation || kept.alarm !== null) return undefined;
    const lastRow = kept.countersignedRow;
    const stored =
      lastRow === null ? undefined : await store.get('countersignedHeads', [agentId, generation, lastRow]);
    const last = stored && sentHead(stored);
    const decision = decideTree({
      ...{ agentId, generation, journalRow, tree, last, nowMs },
      ownKeys: this.#ownKeys,
    });
    if (decision.kind === 'answer') return decision.head;
    if (decision.kind === 'forked') await this.#refuse(session, tree, last?.row ?? 0, nowMs);
    if (decision.kind !== 'sign') return undefined;
    const { row, hash, root } = tree;
    const head = countersignHead(agentId, { generation, row, hash, root, timeMs: nowMs }, trust.signingKey);
    const isStored = await this.#commit([
      epochFence(session),
      { op: 'insert', table: 'countersignedHeads', row: storedHead(agentId, head) },
      { op: 'update', table: 'journalHeads', row: { ...kept, countersignedRow: row } },
    ]);
    return isStored ? head : undefined;
  }

  /** Raises an alert about a tree that does not go on from a head, once for each head. */
  async #refuse(
    session: JournalSession,
    tree: WireJournalTree,
    lastRow: number,
    nowMs: number,
  ): Promise<void> {
    const { agentId: subject, entityId, generation } = session;
    const from = `${generation} ${lastRow}`;
    if (this.#refused.get(subject) === from) return;
    const detail = `generation ${generation}: a tree of ${tree.row} rows came, one of ${lastRow} is countersigned`;
    this.#deps.log.error(
      { agentId: subject, generation, row: tree.row, lastRow },
      ALERT_TABLE['journal-tree'].text,
    );
    const alert = raiseAlert({ code: 'journal-tree', subject, entityId, detail }, nowMs);
    if (await this.#commit([epochFence(session), alert])) this.#refused.set(subject, from);
  }

  /** False where the agent has a newer session, which sends its own heads, or this row has changed meanwhile. */
  async #commit(changes: readonly Change[]): Promise<boolean> {
    try {
      await this.#deps.store.commit(changes);
      return true;
    } catch (error) {
      if (error instanceof CommitConflict) return false;
      throw error;
    }
  }

  #log(before: JournalHeadRow | undefined, now: JournalHeadRow, unproven: boolean): void {
    const { log } = this.#deps;
    const { agentId, generation, lastRow, alarm, alarmRow } = now;
    if (alarm !== null && before?.alarm !== alarm) {
      log.error({ agentId, generation, lastRow, alarmRow, alarm }, ALERT_TABLE[ALERTS[alarm]].text);
    } else if (unproven) {
      const about = { agentId, generation, lastRow, keptRow: before?.lastRow };
      log.warn(about, ALERT_TABLE['journal-unproven'].text);
    } else if (before && before.generation < generation) {
      const former = { formerGeneration: before.generation, formerRow: before.lastRow };
      log.warn({ agentId, generation, lastRow, ...former }, 'a new generation of the journal begins');
    }
  }
}

/** Code of the alert about a contradiction. */
const ALERTS = { behind: 'journal-behind', forked: 'journal-forked' } as const satisfies Readonly<
  Record<JournalAlarm, AlertCode>
>;

/** Raises an alert about a new contradiction, and clears it when a new generation begins. */
function alertChanges(
  entityId: string,
  before: JournalHeadRow | undefined,
  { agentId: subject, generation, lastRow, alarm, alarmRow }: JournalHeadRow,
  unproven: boolean,
  nowMs: number,
): Change[] {
  const place = { subject, entityId };
  const stood = before?.alarm ?? null;
  const changes: Change[] = [];
  if (alarm !== null && alarm !== stood) {
    const detail = `generation ${generation}: row ${alarmRow} came, row ${lastRow} is stored`;
    changes.push(raiseAlert({ code: ALERTS[alarm], ...place, detail }, nowMs));
  }
  if (stood !== null && alarm === null) changes.push(clearAlert(ALERTS[stood], subject, nowMs));
  if (unproven) {
    const detail = `generation ${generation}: row ${lastRow} came, row ${before?.lastRow} was stored`;
    changes.push(raiseAlert({ code: 'journal-unproven', ...place, detail }, nowMs));
  }
  return changes;
}

function answer(verdict: JournalVerdict, row: JournalHeadRow | undefined, generation: number): HeadAnswer {
  const kept = wireHead(row, generation);
  return { verdict, ...(kept && { kept }) };
}

function wireHead(row: JournalHeadRow | undefined, generation: number): WireJournalHead | undefined {
  return row?.generation === generation ? { row: row.lastRow, hash: fromHex(row.hash) } : undefined;
}
