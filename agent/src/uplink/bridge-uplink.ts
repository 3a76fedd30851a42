import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import { BridgeError, decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { BRIDGE_LIMITS, BRIDGE_VERSIONS } from '@tillbridge/wire/bridge/limits.js';
import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import type {
  Bodies,
  Challenge,
  Command,
  CommandResult,
  Envelope,
  Heartbeat,
  Hello,
  Outcome,
  StatusAnswer,
  TerminalStatus,
} from '@tillbridge/wire/bridge/messages.js';
import { wipe } from '@tillbridge/wire/bytes.js';
import type { Timer } from '@tillbridge/wire/seams/clock.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { HeadLink } from '../journal/digest/countersigned-heads.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { JournalLink } from '../journal/journal-watch.js';
import type { AgentLog } from '../log/log.js';
import type { BridgeSocket, ConnectBridge } from './bridge-socket.js';
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionTimer,
  connectionStep,
  type DownReason,
  INITIAL_CONNECTION,
} from './connection-machine.js';
import { type GatewayTrust, proveWelcome } from './gateway-trust.js';
import { LinkWatch } from './link-watch.js';
import { type HandOver, SendQueues } from './send-queues.js';
import {
  goodbyeBody,
  goodbyeReason,
  headVerdict,
  heartbeatBody,
  helloBody,
  outsideStreams,
  type Speaker,
} from './session-messages.js';
import type { StorePolicyKeeper } from './store-policy-keeper.js';
import type { StoreTodos } from './store-todos.js';
import type { LiveEnvelope, Unsubscribe, Uplink, UplinkState } from './uplink.js';

/** Carries out commands that the gateway sends, each id once. */
interface CommandHandler {
  /** The result, of this call or of an earlier one with the id. Never rejects. */
  take(id: string, command: Command): Promise<CommandResult>;
}

/** What the uplink works with; everything outside it is handed in. */
export interface UplinkDeps extends Seams {
  readonly speaker: Speaker;
  readonly connect: ConnectBridge;
  readonly trust: GatewayTrust;
  readonly queue: ForwardQueue;
  /** Given the policy of the store; absent: it is not kept. */
  readonly policy?: Pick<StorePolicyKeeper, 'take'>;
  /** Given what a person has to do at the gateway; absent: it is not shown. */
  readonly todos?: Pick<StoreTodos, 'take'>;
  /** Carries out commands of the gateway; absent: they are ignored. */
  readonly commands?: CommandHandler;
  /** Called with the journal head that the gateway stores; absent: it is not compared. */
  readonly journal?: JournalLink;
  /** Has the journal's heads countersigned; absent: they are not. */
  readonly heads?: HeadLink;
  /** States of the terminals for Hello and heartbeat. */
  readonly terminals: () => readonly TerminalStatus[];
  readonly log: AgentLog;
}

/** The link for status answers. */
export interface LinkDetail {
  readonly state: UplinkState;
  /** Why there is no session; absent while there is one. */
  readonly reason?: DownReason;
  readonly detail?: string;
  /** Failed attempts since the last session. */
  readonly attempt: number;
  /** The session's epoch. */
  readonly epoch?: number;
  /** The session is there, and the gateway does not answer a ping: known only while someone watches. */
  readonly silent?: true;
}

/** The agent's side of the bridge: carries out what the connection machine and the stream sender decide. */
export class BridgeUplink implements Uplink {
  private readonly deps: UplinkDeps;
  private connection: ConnectionState = INITIAL_CONNECTION;
  private readonly queues: SendQueues;
  private lastFall: { readonly reason: DownReason; readonly detail: string } | undefined;
  private socket: BridgeSocket | undefined;
  private channel = '';
  /** What a Welcome has to prove itself against. */
  private handshake: { readonly challenge: Challenge; readonly hello: Hello } | undefined;
  private readonly timers = new Map<ConnectionTimer, Timer>();
  private readonly answers = new Listeners<[string, Outcome]>();
  private readonly statuses = new Listeners<[StatusAnswer]>();
  private readonly states = new Listeners<[UplinkState]>();
  private readonly times = new Listeners<[number]>();
  private readonly silences = new Listeners<[boolean]>();
  private readonly linkWatch: LinkWatch;
  private readonly endings = new Set<Promise<void>>();

  constructor(deps: UplinkDeps) {
    this.deps = deps;
    const { queue, clock, log } = deps;
    this.queues = new SendQueues({
      queue,
      clock,
      log,
      write: (envelope, taken) => this.write(envelope, taken),
    });
    this.linkWatch = new LinkWatch({
      clock,
      ping: (answered) => this.socket?.ping?.(answered) ?? false,
      onSilent: (silent) => this.silences.tell(silent),
    });
  }

  get state(): UplinkState {
    return outerState(this.connection);
  }

  /** The link with its reasons, for status answers. */
  detail(): LinkDetail {
    const { connection } = this;
    const fall =
      connection.kind === 'down' ? connection : connection.kind === 'up' ? undefined : this.lastFall;
    return {
      state: this.state,
      attempt: connection.attempt,
      ...(fall && { reason: fall.reason, detail: fall.detail }),
      ...(connection.kind === 'up' && { epoch: connection.epoch }),
      ...(this.linkWatch.silent && { silent: true }),
    };
  }

  /** The state of the store, as a heartbeat reports it now. */
  heartbeat(): Heartbeat {
    const { queue, terminals, clock, journal } = this.deps;
    return heartbeatBody(queue, terminals(), clock.nowMs(), journal?.anchor());
  }

  /** Begins to connect, and stays connected until `close`. */
  start(): void {
    this.feed({ kind: 'start' });
  }

  /** Does not wait for the next retry; lets every terminal's stream look for work when there is a session. */
  nudge(): void {
    this.feed({ kind: 'nudge' });
    this.queues.nudge();
  }

  /** Sends a Goodbye and ends; resolves when every socket is closed. */
  async close(): Promise<void> {
    this.feed({ kind: 'stop' });
    this.queues.close();
    await Promise.all(this.endings);
  }

  sendLive(envelope: LiveEnvelope): boolean {
    if (!this.queues.mayGoLive() || !this.write(envelope).done) return false;
    this.queues.liveSent(liveId(envelope));
    return true;
  }

  onAnswer(listener: (messageId: string, outcome: Outcome) => void): Unsubscribe {
    return this.answers.add(listener);
  }

  onStatus(listener: (answer: StatusAnswer) => void): Unsubscribe {
    return this.statuses.add(listener);
  }

  onState(listener: (state: UplinkState) => void): Unsubscribe {
    return this.states.add(listener);
  }

  /** Has a gateway that goes silent noticed within two seconds, until the returned function is called. */
  watch(): Unsubscribe {
    return this.linkWatch.watch();
  }

  onSilent(listener: (silent: boolean) => void): Unsubscribe {
    return this.silences.add(listener);
  }

  onGatewayTime(listener: (timeMs: number) => void): Unsubscribe {
    return this.times.add(listener);
  }

  private feed(event: ConnectionEvent): void {
    const before = this.connection;
    const { state, effects } = connectionStep(before, event, BRIDGE_VERSIONS);
    this.connection = state;
    if (state.kind === 'down' && state !== before) {
      this.lastFall = { reason: state.reason, detail: state.detail };
      this.deps.log.info(
        { reason: state.reason, detail: state.detail, attempt: state.attempt },
        'bridge down',
      );
    }
    for (const effect of effects) this.carryOut(effect);
    if (outerState(state) !== outerState(before)) this.states.tell(outerState(state));
  }

  private carryOut(effect: ConnectionEffect): void {
    switch (effect.kind) {
      case 'open-socket':
        this.open();
        break;
      case 'close-socket':
        this.socket?.close(effect.detail);
        this.socket = undefined;
        break;
      case 'send-hello':
        this.sendHello(effect.challenge);
        break;
      case 'send-heartbeat':
        this.beat();
        break;
      case 'send-goodbye':
        this.write(outsideStreams(this.newId(), 'goodbye', goodbyeBody('agent stops')));
        break;
      case 'arm':
        this.arm(effect);
        break;
      case 'disarm':
        this.timers.get(effect.timer)?.cancel();
        this.timers.delete(effect.timer);
        break;
      case 'tell-time':
        this.times.tell(effect.timeMs);
        break;
      case 'session-up':
        this.queues.sessionUp(effect.liveCredits, effect.backlogCredits);
        this.linkWatch.sessionUp();
        break;
      case 'session-down':
        this.queues.sessionDown();
        this.linkWatch.sessionDown();
        break;
    }
  }

  private arm(effect: Extract<ConnectionEffect, { kind: 'arm' }>): void {
    this.timers.get(effect.timer)?.cancel();
    const delayMs = between(effect.minDelayMs, effect.maxDelayMs, this.deps.random);
    const event = TIMER_EVENTS[effect.timer];
    this.timers.set(
      effect.timer,
      this.deps.clock.setTimer(delayMs, () => this.feed(event)),
    );
  }

  private open(): void {
    let ended = (): void => {};
    const ending = new Promise<void>((resolve) => {
      ended = resolve;
    });
    this.endings.add(ending);
    // A socket that was replaced may still send while it closes: only messages of the current one count.
    const current = (act: () => void): void => {
      if (this.socket === socket) act();
    };
    const socket: BridgeSocket = this.deps.connect({
      onOpen: (channel) =>
        current(() => {
          this.channel = channel;
          this.feed({ kind: 'socket-opened' });
        }),
      onMessage: (bytes) => current(() => this.receive(bytes)),
      onViolation: (detail) => current(() => this.feed({ kind: 'violation', detail })),
      onClose: (detail) => {
        current(() => this.feed({ kind: 'socket-closed', detail }));
        this.endings.delete(ending);
        ended();
      },
    });
    this.socket = socket;
  }

  private newId(): string {
    return newMessageId(this.deps.clock.nowMs(), this.deps.random);
  }

  private sendHello(challenge: Challenge): void {
    const { speaker, queue, terminals, random } = this.deps;
    const own = { nonce: random.bytes(BRIDGE_LIMITS.nonceBytes), channel: this.channel };
    const hello = helloBody(speaker, challenge, own, queue, terminals());
    this.handshake = { challenge, hello };
    this.write(outsideStreams(this.newId(), 'hello', hello));
  }

  private beat(): void {
    if (this.queues.isStalled()) {
      this.feed({ kind: 'stalled' });
      return;
    }
    const tree = this.deps.heads?.offer();
    this.write(outsideStreams(this.newId(), 'heartbeat', { ...this.heartbeat(), ...(tree && { tree }) }));
  }

  /** Encodes and hands over one message. */
  private write(envelope: Envelope, taken: () => void = () => {}): HandOver {
    let bytes: Uint8Array;
    try {
      bytes = encodeEnvelope(envelope);
    } catch (error) {
      const fault = error instanceof Error ? error.message : 'unreadable';
      this.deps.log.error(
        { kind: envelope.kind, messageId: envelope.id, err: error },
        'message not encodable',
      );
      return { done: false, fault };
    }
    const done =
      this.socket?.send(bytes, () => {
        // An encoded authorization holds a PIN block.
        wipe(bytes);
        taken();
      }) ?? false;
    if (!done) wipe(bytes);
    return { done };
  }

  private receive(bytes: Uint8Array): void {
    this.linkWatch.received();
    let envelope: Envelope;
    try {
      envelope = decodeEnvelope(bytes);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      // A newer gateway may send messages that this version does not know; they are a sign of life, too.
      if (error.code === 'unknown-body') this.feed({ kind: 'message-received' });
      else this.feed({ kind: 'violation', detail: error.message });
      return;
    }
    this.feed({ kind: 'message-received' });
    this.handle(envelope);
  }

  private handle(envelope: Envelope): void {
    switch (envelope.kind) {
      case 'challenge':
        this.feed({ kind: 'challenge', challenge: envelope.body });
        break;
      case 'welcome':
        this.welcomed(envelope);
        break;
      case 'goodbye':
        this.refused(envelope);
        break;
      default:
        if (this.connection.kind === 'up') this.handleInSession(envelope);
        else this.feed({ kind: 'violation', detail: `${envelope.kind} before the Welcome` });
    }
  }

  private welcomed(envelope: Envelope<'welcome'>): void {
    const { body } = envelope;
    if (this.connection.kind === 'hello-sent' && !this.takePins(body)) {
      this.deps.log.error(
        securityEvent('gateway-unproven'),
        'the Welcome is not that of the gateway which this agent was enrolled with',
      );
      this.feed({ kind: 'unproven' });
      return;
    }
    // In force before the session is used.
    if (this.connection.kind === 'hello-sent' && body.policy) this.deps.policy?.take(body.policy);
    this.feed({ kind: 'welcome', welcome: body });
    if (this.connection.kind !== 'up') return;
    this.deps.log.info({ epoch: body.epoch, version: body.version }, 'bridge up');
    void this.proveHead(body);
  }

  /** Keeps the pin set that a proven gateway sends; false for a Welcome that is not proven. */
  private takePins(welcome: Bodies['welcome']): boolean {
    const { handshake, deps } = this;
    const { trust, log } = deps;
    const proven = handshake && proveWelcome(trust.pins, handshake.challenge, handshake.hello, welcome);
    if (!proven) return false;
    if (proven.pins === trust.pins) return true;
    try {
      trust.replace(proven.pins);
      log.info(
        { ...securityEvent('gateway-keys'), tlsPins: proven.pins.tlsPins },
        'pin set of the gateway changed',
      );
    } catch (error) {
      // The next session sends them again; until then the stored pins count.
      log.error({ err: error }, 'pin set of the gateway not stored');
    }
    return true;
  }

  /**
   * The first heartbeat left before the journal was looked up. Where the gateway keeps an older row, a second one follows at once with
   * the proof: a session that ends before the next beat would otherwise leave the gateway's head where it was, and another copy
   * of the journal could go on from it unnoticed.
   */
  private async proveHead({ epoch, streams, journalHead }: Bodies['welcome']): Promise<void> {
    const { journal, queue } = this.deps;
    await journal?.welcomed(streams, journalHead);
    if (!journal?.anchor() || !journalHead || journalHead.row >= queue.head().row) return;
    if (this.connection.kind === 'up' && this.connection.epoch === epoch) this.beat();
  }

  private refused({ body }: Envelope<'goodbye'>): void {
    const code = goodbyeReason(body.code);
    if (code === 'fenced') this.deps.journal?.fenced(body.reason);
    this.feed({ ...body, kind: 'goodbye', code });
  }

  private handleInSession(envelope: Envelope): void {
    switch (envelope.kind) {
      case 'heartbeatAnswer':
        this.times.tell(envelope.body.timeMs);
        this.deps.journal?.judged(headVerdict(envelope.body), envelope.body.journalHead);
        this.deps.heads?.answered(envelope.body.countersigned);
        this.deps.todos?.take(envelope.body.todos);
        break;
      case 'storePolicy':
        this.deps.policy?.take(envelope.body);
        break;
      case 'command':
        void this.obey(envelope);
        break;
      case 'statusAnswer':
        this.queues.liveAnswered(statusId(envelope.body.messageId));
        this.statuses.tell(envelope.body);
        break;
      case 'authorizationAnswer':
      case 'acknowledgement':
        this.outcomeReceived(envelope);
        break;
      case 'parked': {
        const { messageId, reasonCode, reason } = envelope.body;
        this.queues.statusReceived(
          messageId,
          this.deps.queue.parked(messageId, { code: reasonCode, text: reason }),
        );
        break;
      }
      default:
        this.feed({ kind: 'violation', detail: `a gateway does not send ${envelope.kind}` });
    }
  }

  /** A result that no session takes is requested again by the next one. */
  private async obey({ id, body }: Envelope<'command'>): Promise<void> {
    const result = await this.deps.commands?.take(id, body);
    if (result && this.connection.kind === 'up')
      this.write(outsideStreams(this.newId(), 'commandResult', result));
  }

  private outcomeReceived({ kind, body }: Envelope<'authorizationAnswer' | 'acknowledgement'>): void {
    const { messageId, outcome } = body;
    if (!outcome) {
      this.feed({ kind: 'violation', detail: `${kind} without an outcome` });
    } else if (kind === 'acknowledgement') {
      this.queues.statusReceived(messageId, this.deps.queue.acknowledged(messageId, outcome));
    } else {
      this.queues.liveAnswered(messageId);
      this.answers.tell(messageId, outcome);
    }
  }
}

const TIMER_EVENTS: Readonly<Record<ConnectionTimer, ConnectionEvent>> = {
  retry: { kind: 'retry-due' },
  step: { kind: 'step-timeout' },
  heartbeat: { kind: 'heartbeat-due' },
};

function outerState(state: ConnectionState): UplinkState {
  return state.kind === 'down' || state.kind === 'up' ? state.kind : 'connecting';
}

/** A status request is answered by the id it names, which may be that of an authorization still on the way. */
function liveId(envelope: LiveEnvelope): string {
  return envelope.kind === 'statusRequest' ? statusId(envelope.body.messageId) : envelope.id;
}

function statusId(messageId: string): string {
  return `status ${messageId}`;
}

/** A whole number drawn evenly from `min` to `max`, both included. */
function between(min: number, max: number, random: Random): number {
  const draw = Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
  return min + Math.floor(draw * (max - min + 1));
}
