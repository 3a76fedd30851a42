import type { KeyObject } from 'node:crypto';
import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import type { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { Pace } from '@tillbridge/platform/net/pace.js';
import { BridgeError, decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { readEnvelopeHead } from '@tillbridge/wire/bridge/envelope-head.js';
import { signWelcome } from '@tillbridge/wire/bridge/handshake.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import {
  type Bodies,
  type BodyKind,
  type Challenge,
  type CommandResult,
  type EnrolmentRequest,
  type Envelope,
  type GatewayPins,
  GoodbyeCode,
  type Heartbeat,
  type Hello,
  type JournalVerdict,
  type Outcome,
  type WireJournalHead,
} from '@tillbridge/wire/bridge/messages.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import type { Owner } from '../../kernel/nodes/node-lease.js';
import { isHeld } from '../../kernel/restored-database/restore-gap.js';
import type { AgentCommandRow, AgentRow } from '../../kernel/store/rows.js';
import { CommitConflict } from '../../kernel/store/store.js';
import { ACCOUNT_DATA_REFUSED } from '../payments/rules/account-data-error.js';
import { epochFence } from '../payments/rules/message-changes.js';
import { type AgentKeys, provenBy } from './agent-keys.js';
import { isStreamEnvelope } from './backlog-machine.js';
import type { BridgeSocket } from './bridge-socket.js';
import { wireCommand } from './commands/agent-command.js';
import { takeResult } from './commands/command-results.js';
import { sessionBegan } from './enrolment/current-session.js';
import type { Enrolment } from './enrolment/enrolment.js';
import { policyToSend, type SentPolicy } from './enrolment/sent-policy.js';
import type { RaiseTrustAlert } from './enrolment/trust-alerts.js';
import type { JournalHeads } from './journal-heads.js';
import type { BridgeLimits } from './limits/bridge-limits.js';
import type { LiveEnvelope, MessageHandler, MessageHandlerDeps } from './message-handler.js';
import { NamedTimers } from './named-timers.js';
import type { AdoptedStream } from './resume-streams.js';
import { SessionHeartbeats } from './session-heartbeats.js';
import {
  INITIAL_SESSION,
  type OpenSession,
  type SessionEffect,
  type SessionEvent,
  type SessionState,
  sessionStep,
} from './session-machine.js';
import { StreamExecutor } from './stream-executor.js';
import { shortened } from './wire-outcome.js';

/** How the gateway proves itself, and how agents become known. */
export interface BridgeTrust {
  readonly signingKey: KeyObject;
  /** What agents are to pin now. */
  readonly pins: () => GatewayPins;
  readonly alert: RaiseTrustAlert;
}

/** What a session works with. */
interface BridgeSessionDeps extends Seams, Pick<MessageHandlerDeps, 'store' | 'log'> {
  readonly trust: BridgeTrust;
  readonly enrolment: Enrolment;
  /** Called when an agent's key has become known. */
  readonly enrolled: (agentId: string) => Promise<void>;
  readonly socket: BridgeSocket;
  readonly handler: MessageHandler;
  readonly heads: JournalHeads;
  readonly keys: AgentKeys;
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
  readonly limits: BridgeLimits;
  readonly strangers: Pick<StrangerLog, 'take'>;
  /** The node that has the session; absent: there is no other one. */
  readonly node?: Pick<Owner, 'id'>;
  /** Makes this the agent's session; false when a newer one is there already. */
  readonly admit: (session: BridgeSession) => boolean;
  /** Called once, when the socket is closed and all work is done. */
  readonly ended: (session: BridgeSession) => void;
}

/** One session: carries out the effects of the session machine and the backlog machine. */
export class BridgeSession {
  readonly #deps: BridgeSessionDeps;
  #state: SessionState = INITIAL_SESSION;
  #executor: StreamExecutor | undefined;
  #bootId = '';
  #keptHead: WireJournalHead | undefined;
  #policy: SentPolicy | undefined;
  readonly #messages: Pace;
  readonly #heartbeats: SessionHeartbeats;
  readonly #timers: NamedTimers;
  /** Commands that were sent and have no result yet. */
  readonly #commands = new Set<string>();
  #liveRunning = 0;
  #isDraining = false;
  #work = 0;
  #socketClosed = false;

  constructor(deps: BridgeSessionDeps) {
    this.#deps = deps;
    this.#timers = new NamedTimers(deps.clock);
    const { messagesPerSecond, messagesBurst } = deps.limits;
    this.#messages = new Pace({ perSecond: messagesPerSecond, burst: messagesBurst });
    this.#heartbeats = new SessionHeartbeats({
      ...deps,
      session: () => this.open,
      run: (work) => this.#run(work),
      send: (answer) => this.#send('heartbeatAnswer', answer),
    });
  }

  /** The authenticated agent while the session is open. */
  get open(): OpenSession | undefined {
    return this.#state.phase === 'open' ? this.#state.session : undefined;
  }

  /** The agent's last heartbeat. */
  get heartbeat(): Heartbeat | undefined {
    return this.#heartbeats.last;
  }

  /** Of the agent's process; empty before the session is open. */
  get bootId(): string {
    return this.#bootId;
  }

  /** Verdict on the journal's head in the last heartbeat. */
  get verdict(): JournalVerdict {
    return this.#heartbeats.verdict;
  }

  /** Sends the challenge and waits for the agent. */
  start(): void {
    this.#deps.socket.listen({
      onMessage: (bytes) => this.#received(bytes),
      onViolation: (reason) => this.#feed({ kind: 'violation', reason }),
      onClose: () => {
        this.#socketClosed = true;
        this.#feed({ kind: 'socket-closed' });
        this.#maybeEnded();
      },
    });
    this.#feed({ kind: 'opened', nonce: this.#deps.random.bytes(BRIDGE_LIMITS.nonceBytes) });
  }

  /** Acknowledges a message that was parked and has now been carried out. */
  acknowledge(messageId: string, outcome: Outcome): void {
    if (this.open) this.#send('acknowledgement', { messageId, outcome });
  }

  /** Sends a command, once in this session; the next one sends it again unless its result has come. */
  command(row: AgentCommandRow): void {
    if (!this.open || this.#commands.has(row.id)) return;
    this.#commands.add(row.id);
    this.#send('command', wireCommand(row), row.id);
  }

  /** Sends the agent the policy of its store if it has changed; `version` is that of all policies. @throws StoreUnavailableError */
  async sendPolicy(version: number): Promise<void> {
    const before = this.#policy;
    if (!this.open || !before || before.asOf === version) return;
    const policy = await this.#policyOf(this.open.agentId, this.open.entityId);
    this.#policy = policy;
    if (this.open && policy.message.version !== before.message.version)
      this.#send('storePolicy', policy.message);
  }

  /** Ends the session, because the agent has a newer one. */
  supersede(): void {
    this.#feed({ kind: 'superseded' });
  }

  /** Ends the session, because the agent's key counts no more. */
  revoke(): void {
    this.#feed({ kind: 'revoked' });
  }

  /** Ends the session, because the gateway stops: once no live message waits for its answer, or it has taken too long. */
  drain(): void {
    this.#isDraining = true;
    const { drainMs } = this.#deps.limits;
    if (this.#liveRunning === 0) this.#feed({ kind: 'stop' });
    else this.#timers.set('drain', drainMs, () => this.#feed({ kind: 'stop' }));
  }

  #received(bytes: Uint8Array): void {
    // A session that has ended ignores what still arrives.
    if (this.#state.phase === 'closed') return;
    const restMs = this.#messages.count(this.#deps.clock.monotonicMs());
    if (restMs > 0) this.#deps.socket.rest(restMs);
    let envelope: Envelope;
    try {
      envelope = decodeEnvelope(bytes);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      if (!this.#takeUnreadable(bytes, error.message))
        this.#feed({ kind: 'violation', reason: error.message });
      return;
    }
    this.#feed({ kind: 'received', envelope });
  }

  /** Parks an unreadable message at its place in its stream: ending the session would bring the same message again for ever. */
  #takeUnreadable(bytes: Uint8Array, fault: string): boolean {
    const head = this.open && readEnvelopeHead(bytes);
    if (!head || !this.open?.terminals.includes(head.terminalId)) return false;
    this.#executor?.take({ kind: 'unreadable', ...head, fault, bytes: Uint8Array.from(bytes) });
    return true;
  }

  #feed(event: SessionEvent): void {
    const { state, effects } = sessionStep(this.#state, event, this.#deps.limits);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: SessionEffect): void {
    switch (effect.kind) {
      case 'send-challenge':
        this.#send('challenge', effect.challenge);
        break;
      case 'read-agent':
        this.#run(this.#readAgent(effect.challenge, effect.hello));
        break;
      case 'enrol':
        this.#run(this.#enrol(effect.challenge, effect.request));
        break;
      case 'send-enrolment':
        this.#deps.log.info(
          { ...securityEvent('agent-enrolled'), ...this.#who(), agentId: effect.answer.agentId },
          'agent enrolled',
        );
        this.#send('enrolmentAnswer', effect.answer);
        this.#run(this.#deps.enrolled(effect.answer.agentId));
        break;
      case 'alert':
        this.#deps.trust.alert(effect.alert);
        break;
      case 'commit-session':
        this.#run(this.#commitSession(effect.row, effect.bootId));
        break;
      case 'admit':
        this.#admit(effect);
        break;
      case 'answer-heartbeat':
        if (!this.#heartbeats.take(effect.heartbeat))
          this.#feed({ kind: 'too-much', reason: 'heartbeats come too fast' });
        break;
      case 'work':
        this.#begin(effect.envelope);
        break;
      case 'send-goodbye': {
        const { code, reason, retryAfterMs } = effect;
        this.#logEnd({ code, reason });
        this.#send('goodbye', { code, reason: shortened(reason), retryAfterMs });
        break;
      }
      case 'close':
        this.#close(effect.reason);
        break;
      case 'arm':
        this.#timers.set(effect.timer, effect.delayMs, () => this.#feed({ kind: `${effect.timer}-timeout` }));
        break;
      case 'disarm':
        this.#timers.cancel(effect.timer);
        break;
    }
  }

  async #readAgent(challenge: Challenge, hello: Hello): Promise<void> {
    const { store, keys, clock, socket } = this.#deps;
    const agent = await store.get('agents', [hello.agentId]);
    this.#feed({
      kind: 'agent-read',
      agent,
      provenBy: provenBy(keys, agent, challenge, hello),
      channelFits: socket.channels.includes(hello.channel),
      isHeld: agent !== undefined && (await isHeld(store, agent.createdAtMs)),
      nowMs: clock.nowMs(),
    });
  }

  async #enrol(challenge: Challenge, request: EnrolmentRequest): Promise<void> {
    const { enrolment, socket } = this.#deps;
    this.#feed({ kind: 'enrolled', answer: await enrolment.take(challenge, request, socket.channels) });
  }

  async #commitSession(row: AgentRow, bootId: string): Promise<void> {
    const { store } = this.#deps;
    try {
      const nodeId = this.#deps.node?.id ?? null;
      await store.commit([
        { op: 'update', table: 'agents', row: { ...row, nodeId } },
        sessionBegan({ ...row, nodeId }, bootId, this.#deps.clock.nowMs()),
      ]);
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      this.#feed({ kind: 'lost-race' });
      return;
    }
    this.#heartbeats.generation = row.generation;
    this.#bootId = bootId;
    // At once: after an outage all agents come back together, and reads of one moment share their way to the database.
    const [head, policy, streams] = await Promise.all([
      this.#deps.heads.kept(row.id, row.generation),
      this.#policyOf(row.id, row.entityId),
      store.find('streams', 'agent', [row.id]),
    ]);
    this.#keptHead = head;
    this.#policy = policy;
    this.#feed({
      kind: 'committed',
      nowMs: this.#deps.clock.nowMs(),
      streams: streams.map(({ terminalId, nextSequence }) => ({ terminalId, nextSequence })),
    });
  }

  #admit({ challenge, hello, session, version, streams, adopted }: SessionEffectOf<'admit'>): void {
    if (!this.#deps.admit(this)) {
      this.supersede();
      return;
    }
    const { limits, clock, log, handler, socket, trust } = this.#deps;
    socket.proven();
    this.#executor = new StreamExecutor({
      session,
      positions: streams,
      handler,
      limits,
      log,
      timers: this.#timers,
      run: (work) => this.#run(work),
      say: (kind, body) => this.#send(kind, body),
      feed: (event) => this.#feed(event),
    });
    const proof = { version, epoch: session.epoch, timeMs: clock.nowMs(), pins: trust.pins() };
    this.#send('welcome', {
      ...proof,
      signature: signWelcome(challenge, hello, proof, trust.signingKey),
      heartbeatIntervalMs: limits.heartbeatIntervalMs,
      streams: streams.slice(0, BRIDGE_LIMITS.maxTerminals),
      liveCredits: limits.liveCredits,
      backlogCredits: limits.backlogCredits,
      ...(this.#keptHead && { journalHead: this.#keptHead }),
      ...(this.#policy && { policy: this.#policy.message }),
    });
    log.info({ ...this.#who(), epoch: session.epoch, version }, 'bridge session open');
    if (adopted.length > 0) this.#run(this.#missing(session, adopted));
  }

  #policyOf(agentId: string, entityId: string): Promise<SentPolicy> {
    const { store, clock, trust } = this.#deps;
    return policyToSend({ store, clock, signingKey: trust.signingKey }, { agentId, entityId });
  }

  async #missing({ agentId, entityId }: OpenSession, adopted: readonly AdoptedStream[]): Promise<void> {
    for (const { terminalId, expected, offered } of adopted) {
      const detail = `message ${expected} was expected, the agent offers ${offered}`;
      const subject = `${agentId}/${terminalId}`;
      await this.#deps.alerts.raise({ code: 'messages-missing', subject, entityId, detail });
    }
  }

  #begin(envelope: Envelope): void {
    const session = this.open;
    if (!session) return;
    if (envelope.kind === 'authorizationRequest' || envelope.kind === 'statusRequest')
      this.#beginLive(envelope, session);
    else if (envelope.kind === 'commandResult') this.#run(this.#takeResult(envelope.body, session));
    else if (isStreamEnvelope(envelope)) this.#executor?.take(envelope);
  }

  async #takeResult(result: CommandResult, session: OpenSession): Promise<void> {
    try {
      await takeResult(this.#deps, session.agentId, result, epochFence(session));
      this.#commands.delete(result.commandId);
      if (result.status) this.#heartbeats.last = result.status;
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      this.supersede();
    }
  }

  /** Begins a live message. An agent limits its own unanswered messages: twice the credits means that something hangs. */
  #beginLive(envelope: LiveEnvelope, session: OpenSession): void {
    if (this.#liveRunning >= 2 * this.#deps.limits.liveCredits) {
      this.#feed({ kind: 'too-much', reason: `${this.#liveRunning} live messages wait for an answer` });
      return;
    }
    this.#liveRunning += 1;
    this.#executor?.liveBegan();
    this.#run(this.#live(envelope, session));
  }

  async #live(envelope: LiveEnvelope, session: OpenSession): Promise<void> {
    const result = await this.#deps.handler.live(envelope, session);
    this.#liveRunning -= 1;
    if (result.kind === 'stale') this.supersede();
    else if (result.kind === 'authorizationAnswer') this.#send(result.kind, result.body);
    else if (result.kind === 'statusAnswer') this.#send(result.kind, result.body);
    this.#executor?.liveEnded();
    if (this.#isDraining && this.#liveRunning === 0) this.#feed({ kind: 'stop' });
  }

  /** Runs work that fails only with the store: then the session ends, and the agent reconnects. */
  #run(work: Promise<void>): void {
    this.#work += 1;
    work
      .catch((error: unknown) => {
        if (this.#executor)
          this.#deps.log.error({ ...this.#who(), err: error }, 'bridge session cannot go on');
        this.#feed({ kind: 'store-unavailable' });
      })
      .finally(() => {
        this.#work -= 1;
        this.#maybeEnded();
      });
  }

  #send<K extends BodyKind>(kind: K, body: Bodies[K], id?: string): void {
    if ('outcome' in body && body.outcome?.resultCode === ACCOUNT_DATA_REFUSED.resultCode)
      this.#heartbeats.accountDataRefused();
    if (this.#socketClosed) return;
    const { socket, clock, random, limits } = this.#deps;
    if (socket.bufferedBytes > limits.maxBufferedBytes) {
      socket.close('the agent does not read');
      return;
    }
    const envelope = {
      id: id ?? newMessageId(clock.nowMs(), random),
      terminalId: '',
      sequence: 0,
      kind,
      body,
    };
    socket.send(encodeEnvelope(envelope as Envelope));
  }

  #close(reason: string): void {
    this.#timers.cancelAll();
    this.#executor?.end();
    this.#deps.socket.close(reason);
  }

  #maybeEnded(): void {
    if (this.#socketClosed && this.#work === 0) this.#deps.ended(this);
  }

  /** Until it is proven, the other side is a stranger. */
  #logEnd(about: { readonly code: GoodbyeCode; readonly reason: string }): void {
    const { log, strangers, socket } = this.#deps;
    const text = 'bridge session refused or ended';
    const code = GoodbyeCode[about.code];
    if (this.#executor) log.info({ ...this.#who(), ...about, code }, text);
    else strangers.take({ kind: `bridge ${code}`, peer: socket.peer }, { ...about, code }, text);
  }

  #who(): object {
    const { agentId, epoch } = this.open ?? {};
    return { peer: this.#deps.socket.peer, ...(agentId !== undefined && { agentId, epoch }) };
  }
}

type SessionEffectOf<K extends SessionEffect['kind']> = Extract<SessionEffect, { kind: K }>;
