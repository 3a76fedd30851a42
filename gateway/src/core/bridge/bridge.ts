import type { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { Pace } from '@tillbridge/platform/net/pace.js';
import { encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import {
  GoodbyeCode,
  type Heartbeat,
  JournalVerdict,
  type Outcome,
} from '@tillbridge/wire/bridge/messages.js';
import { wordOfWire } from '@tillbridge/wire/bridge/wire-words.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import type { Owner } from '../../kernel/nodes/node-lease.js';
import { openRestoreGap } from '../../kernel/restored-database/restore-gap.js';
import { findAll } from '../../kernel/store/all-rows.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import type { Signal, Signals } from '../../kernel/store/signals/signals.js';
import type { Store } from '../../kernel/store/store.js';
import { policiesVersion } from '../payments/lookup/policy-of.js';
import { AgentKeys } from './agent-keys.js';
import { BootIds } from './boot-ids.js';
import { BridgeSession, type BridgeTrust } from './bridge-session.js';
import type { BridgeSocket } from './bridge-socket.js';
import { endExpired } from './commands/command-results.js';
import { endOfStale, rowAfterLeaving, sessionEnded, takesPlaceOf } from './enrolment/current-session.js';
import { Enrolment } from './enrolment/enrolment.js';
import { RevokedAgents } from './enrolment/revoked-agents.js';
import { JournalHeads } from './journal-heads.js';
import { type BridgeLimits, DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import { KnownAgents } from './limits/known-agents.js';
import { UnprovenSockets } from './limits/unproven-sockets.js';
import { MessageHandler, type MessageHandlerDeps } from './message-handler.js';
import type { OpenSession } from './session-machine.js';

/** What the bridge works with. */
export interface BridgeDeps extends Seams, Omit<MessageHandlerDeps, 'store' | 'clock' | 'limits'> {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'countRange' | 'commit'>;
  readonly trust: BridgeTrust;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  /** Logs what strangers do. */
  readonly strangers: Pick<StrangerLog, 'take'>;
  readonly limits?: Partial<BridgeLimits>;
  /** The node of these sessions; absent: there is no other one. */
  readonly node?: Pick<Owner, 'id'>;
  /** Called for each socket that has proven itself. */
  readonly proved?: () => void;
  /** Report commands and sessions at other nodes; absent: the bridge looks for both from time to time alone. */
  readonly signals?: Pick<Signals, 'listen'>;
}

/** One agent that is connected now. */
export interface ConnectedAgent {
  readonly agentId: string;
  readonly epoch: number;
  readonly heartbeat?: Heartbeat;
  /** Verdict on the journal's head in that heartbeat. */
  readonly journal: 'unknown' | 'continues' | 'behind' | 'forked';
}

/** Whose places among the unproven a connection takes. */
type Arriving = Pick<BridgeSocket, 'peer' | 'arrivedAs'>;

const verdictOf = wordOfWire(JournalVerdict, 'unknown');

/** How much later than a gap was found a session may have begun before all nodes hold, in milliseconds. */
const HELD_SLACK_MS = 2_000;

/** Its multiples without their whole part are spread evenly. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/** All sessions of this process, over any kind of socket. */
export class Bridge {
  readonly limits: BridgeLimits;
  readonly #deps: BridgeDeps;
  readonly #handler: MessageHandler;
  readonly #heads: JournalHeads;
  readonly #enrolment: Enrolment;
  /** By peer. */
  readonly #unproven: UnprovenSockets;
  /** By agent, of those that have shown their signature. */
  readonly #unprovenAgents: UnprovenSockets;
  readonly #knownAgents: KnownAgents;
  readonly #revoked: RevokedAgents;
  /** Sockets that were sent `Reconnect` and are not closed yet. */
  #turnedAway = 0;
  /** Sockets so far. */
  #accepted = 0;
  readonly #keys = new AgentKeys();
  readonly #boots = new BootIds();
  readonly #all = new Set<BridgeSession>();
  readonly #byAgent = new Map<string, BridgeSession>();
  /** Sessions that are or were open, until they have ended. */
  readonly #opened = new Map<BridgeSession, OpenSession>();
  readonly #unlisten: (() => void) | undefined;
  #closed = false;
  #drained: (() => void) | undefined;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    this.limits = { ...DEFAULT_BRIDGE_LIMITS, ...deps.limits };
    this.#handler = new MessageHandler({ ...deps, limits: this.limits });
    this.#heads = new JournalHeads(deps);
    this.#enrolment = new Enrolment({ ...deps, ...deps.trust });
    this.#unproven = new UnprovenSockets(this.limits);
    const { maxUnprovenOfAgent: maxUnprovenOfPeer } = this.limits;
    this.#unprovenAgents = new UnprovenSockets({ ...this.limits, maxUnprovenOfPeer });
    this.#knownAgents = new KnownAgents({
      ...deps,
      keyOf: (pem) => this.#keys.keyOf(pem),
      limits: this.limits,
    });
    this.#revoked = new RevokedAgents(deps);
    this.#unlisten = deps.signals?.listen((signals) => this.#onSignals(signals));
  }

  /**
   * Whether another socket may be accepted. Unproven sockets have a limit of their own, so that agents find room, and one for each peer, so
   * that no peer takes all of it. An agent that has shown its signature has places that strangers of its peer cannot take.
   */
  hasRoomFor(who: Arriving): boolean {
    const { sockets, name } = this.#placesOf(who);
    return !this.#closed && this.#all.size < this.limits.maxSockets && sockets.hasRoomFor(name);
  }

  /** Whether a new socket of a peer finds no place, or has to wait because others of its peer proved nothing. */
  isCrowded(peer: string): boolean {
    return !this.#unproven.hasRoomFor(peer) || this.#unproven.isSilent(peer);
  }

  /** The agent whose signature an arriving connection brings; undefined where it brings none. @throws StoreUnavailableError */
  agentOf(arrivalText: string): Promise<string | undefined> {
    return this.#knownAgents.agentOf(arrivalText);
  }

  /** Counts a connection that has not become a socket yet, until `arrived` is called; `waitMs` is how long it has to wait for that. */
  expect(who: Arriving): { readonly waitMs: number; readonly arrived: () => void } {
    const { sockets, name } = this.#placesOf(who);
    sockets.add(name);
    const waitMs = sockets.waitMs(name, this.#deps.clock.monotonicMs());
    return { waitMs, arrived: () => sockets.remove(name) };
  }

  #placesOf({ peer, arrivedAs }: Arriving): { readonly sockets: UnprovenSockets; readonly name: string } {
    return arrivedAs === undefined
      ? { sockets: this.#unproven, name: peer }
      : { sockets: this.#unprovenAgents, name: arrivedAs };
  }

  /** Whether one more socket may be sent `Reconnect`. */
  mayTurnAway(): boolean {
    return this.#turnedAway < this.limits.maxTurnedAway;
  }

  /** Sends a socket without a message yet the request to reconnect in so many milliseconds, and ends it. */
  turnAway(socket: BridgeSocket, retryAfterMs: number): void {
    const { clock, random } = this.#deps;
    this.#turnedAway += 1;
    socket.listen({
      onMessage: () => undefined,
      onViolation: () => undefined,
      onClose: () => {
        this.#turnedAway -= 1;
      },
    });
    const body = { code: GoodbyeCode.TURN_LATER, reason: 'too many agents come at once', retryAfterMs };
    const id = newMessageId(clock.nowMs(), random);
    socket.send(encodeEnvelope({ id, terminalId: '', sequence: 0, kind: 'goodbye', body }));
    socket.close(body.reason);
  }

  /** Agents with an open session. */
  connected(): readonly ConnectedAgent[] {
    return [...this.#byAgent.values()].flatMap((session) => {
      const { open, heartbeat, verdict } = session;
      if (!open) return [];
      const journal = verdictOf(verdict);
      return [{ agentId: open.agentId, epoch: open.epoch, journal, ...(heartbeat && { heartbeat }) }];
    });
  }

  /** Sends a connected agent the outcome of a message that was parked. */
  acknowledge(agentId: string, messageId: string, outcome: Outcome): void {
    this.#byAgent.get(agentId)?.acknowledge(messageId, outcome);
  }

  /** Begins a session on a fresh socket. */
  accept(socket: BridgeSocket): void {
    const session = new BridgeSession({
      ...this.#deps,
      socket,
      handler: this.#handler,
      heads: this.#heads,
      enrolment: this.#enrolment,
      enrolled: (agentId) => this.#endStale(agentId),
      keys: this.#keys,
      limits: {
        ...this.limits,
        helloTimeoutMs: this.#helloTimeoutMs(),
        leaveMs: Math.round(this.limits.leaveMs * (1 + this.#share())),
      },
      admit: (admitted) => this.#admit(admitted, socket),
      ended: (ended) => this.#ended(ended, socket),
    });
    this.#all.add(session);
    const { sockets, name } = this.#placesOf(socket);
    sockets.add(name);
    session.start();
  }

  /** Between half of the limit and all of it, evenly: sockets that came together and say nothing do not end, and come again, together. */
  #helloTimeoutMs(): number {
    return Math.round(this.limits.helloTimeoutMs * (1 - this.#share() / 2));
  }

  /** Another part of one for each socket, spread evenly. */
  #share(): number {
    this.#accepted += 1;
    return (this.#accepted * GOLDEN_RATIO) % 1;
  }

  /** Ends the sessions of agents whose keys count no more, and those of before where all that is older is held. @throws StoreUnavailableError */
  async endRevoked(): Promise<void> {
    await this.#endHeld();
    await this.#revoked.look((agentId) => this.#byAgent.get(agentId)?.revoke());
  }

  /** A database was put back under its sessions: who has one has to prove that it may have one. */
  async #endHeld(): Promise<void> {
    const gap = await openRestoreGap(this.#deps.store);
    if (gap?.isWhole !== 0) return;
    const sinceMs = gap.foundAtMs + HELD_SLACK_MS;
    for (const session of this.#byAgent.values())
      if (session.open && session.open.provenAtMs < sinceMs) session.drain();
  }

  /** Sends connected agents the policies that any process has changed. @throws StoreUnavailableError */
  async sendPolicies(): Promise<void> {
    const version = await policiesVersion(this.#deps.store);
    for (const session of this.#byAgent.values()) await session.sendPolicy(version);
  }

  /** Sends connected agents the commands that wait for them, and ends those whose time is over. @throws StoreUnavailableError */
  async sendCommands(): Promise<void> {
    for (const row of await findAll(this.#deps.store, 'agentCommands', 'state', ['waiting']))
      if (!(await endExpired(this.#deps, row))) this.#byAgent.get(row.agentId)?.command(row);
  }

  #onSignals(signals: readonly Signal[]): void {
    for (const { topic, key } of signals) {
      if (topic === 'commands' && key === '') this.#try(this.sendCommands());
      if (!this.#byAgent.has(key)) continue;
      if (topic === 'commands') this.#try(this.#sendCommandsTo(key));
      if (topic === 'agents') this.#try(this.#endStale(key));
    }
  }

  async #sendCommandsTo(agentId: string): Promise<void> {
    for (const row of await this.#deps.store.find('agentCommands', 'agent', [agentId, 'waiting']))
      if (!(await endExpired(this.#deps, row))) this.#byAgent.get(agentId)?.command(row);
  }

  /** What fails now is done by the next look. */
  #try(work: Promise<void>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'a signal of another node was not followed'));
  }

  /**
   * Sends goodbye to every agent, to many one after the other, so that they do not come to the other nodes together. Live messages may end
   * before. Resolves when all sockets are closed and all work is done.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unlisten?.();
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    const { newSocketsPerSecond: perSecond, newSocketsBurst: burst, drainMs } = this.limits;
    const pace = new Pace({ perSecond, burst });
    const { clock } = this.#deps;
    for (const session of this.#all) {
      const delayMs = Math.min(drainMs, pace.count(clock.monotonicMs()));
      if (delayMs === 0 || !session.open) session.drain();
      else clock.setTimer(delayMs, () => session.drain());
    }
    if (this.#all.size > 0) await drained;
  }

  /** An agent whose key counts no more, or that has a newer session elsewhere: this one ends. */
  async #endStale(agentId: string): Promise<void> {
    const session = this.#byAgent.get(agentId);
    const agent = session && (await this.#deps.store.get('agents', [agentId]));
    const end = endOfStale(session?.open, agent);
    if (end === 'superseded') session?.supersede();
    if (end === 'revoked') session?.revoke();
  }

  /** The agent is connected nowhere, unless it has come back already. */
  async #left({ agentId, epoch }: OpenSession): Promise<void> {
    const { store, node, clock } = this.#deps;
    const endedAtMs = clock.nowMs();
    await decideAgain({ store, clock }, async () => {
      const changes = [...sessionEnded(await store.get('agentSessions', [agentId, epoch]), endedAtMs)];
      const row = node && rowAfterLeaving(await store.get('agents', [agentId]), { epoch, nodeId: node.id });
      if (row) changes.push({ op: 'update', table: 'agents', row });
      if (changes.length > 0) await store.commit(changes);
    });
  }

  #admit(session: BridgeSession, socket: BridgeSocket): boolean {
    const mine = session.open;
    if (!mine) return false;
    const older = this.#byAgent.get(mine.agentId);
    if (!takesPlaceOf(older?.open, mine)) return false;
    this.#byAgent.set(mine.agentId, session);
    this.#opened.set(session, mine);
    const { sockets, name } = this.#placesOf(socket);
    sockets.proved(name);
    this.#deps.proved?.();
    if (this.#boots.returns(mine.agentId, session.bootId)) this.#cloned(mine);
    older?.supersede();
    // Read after the Welcome.
    this.#try(this.#sendCommandsTo(mine.agentId));
    return true;
  }

  #cloned({ agentId: subject, entityId, epoch }: OpenSession): void {
    const detail = `a process that was followed by another opened session ${epoch}`;
    this.#deps.alerts
      .raise({ code: 'agent-cloned', subject, entityId, detail })
      .catch((err: unknown) => this.#deps.log.error({ agentId: subject, err }, 'alert not stored'));
  }

  #ended(session: BridgeSession, socket: BridgeSocket): void {
    this.#all.delete(session);
    const opened = this.#opened.get(session);
    const { sockets, name } = this.#placesOf(socket);
    if (!this.#opened.delete(session)) sockets.endedSilent(name);
    if (opened && this.#byAgent.get(opened.agentId) === session) this.#byAgent.delete(opened.agentId);
    // All sessions of a node that stops end with its lease.
    if (opened && !this.#closed) this.#try(this.#left(opened));
    if (this.#all.size === 0) this.#drained?.();
  }
}
