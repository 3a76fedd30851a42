import { decodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { Disposition, type Envelope, type Outcome, StatusState } from '@tillbridge/wire/bridge/messages.js';
import type { Trace } from '../kernel/trace.js';
import { cryptogramIn } from './card-recorder.js';
import type { Recorder } from './recorder.js';

/** What is known of a message from the wire only. */
interface WireMessage {
  readonly store: string;
  readonly agentId: string;
  readonly reference: string;
  readonly kind: string;
  /** Tag 9F26 of the card data that it carries, hex. */
  readonly cryptogram?: string;
  /** The gateway's answer, once it was given. */
  answer?: string;
}

/** Stands for the answer to a message that was parked. */
const PARKED = 'parked';

/** Reads every message as it is handed to a socket, on both sides. */
export class WireRecorder {
  readonly messages = new Map<string, WireMessage>();
  readonly #trace: Trace;
  readonly #recorder: Recorder;
  readonly #requested = new Set<string>();
  readonly #isAnswerStored: (agentId: string, messageId: string) => Promise<boolean>;

  /** @param isAnswerStored whether the gateway's store has the answer to a message right now */
  constructor(
    trace: Trace,
    recorder: Recorder,
    isAnswerStored: (agentId: string, messageId: string) => Promise<boolean>,
  ) {
    this.#trace = trace;
    this.#recorder = recorder;
    this.#isAnswerStored = isAnswerStored;
  }

  /** A message was handed to a socket: `up` by the store's agent, `down` by the gateway. Returns the message. */
  saw(store: string, agentId: string, way: 'up' | 'down', bytes: Uint8Array): Envelope {
    const envelope = decodeEnvelope(bytes);
    // Heartbeats fill pages and show nothing.
    if (!envelope.kind.startsWith('heartbeat')) {
      const text = `${way === 'up' ? '->' : '<-'} ${describe(envelope)}`;
      this.#trace.add(way === 'up' ? store : 'gateway', text);
    }
    if (way === 'up') this.#sent(store, agentId, envelope);
    else this.#answered(agentId, envelope);
    return envelope;
  }

  #sent(store: string, agentId: string, envelope: Envelope): void {
    const { kind, id, body } = envelope;
    if (!('reference' in body)) return;
    const { reference } = body;
    if (!this.messages.has(id)) {
      const iccData = 'pos' in body ? body.pos?.iccData : undefined;
      const cryptogram = iccData?.length ? cryptogramIn(iccData) : undefined;
      this.messages.set(id, { store, agentId, reference, kind, ...(cryptogram && { cryptogram }) });
    }
    if (kind !== 'authorizationRequest') return;
    const request = `${store}/${reference}`;
    if (this.#requested.has(request))
      this.#recorder.breach('P2', `an authorization of ${reference} left ${store} twice`);
    this.#requested.add(request);
  }

  #answered(agentId: string, { kind, body }: Envelope): void {
    if (kind === 'parked') this.#kept(agentId, body.messageId, PARKED);
    const answers = kind === 'authorizationAnswer' || kind === 'acknowledgement' || kind === 'statusAnswer';
    if (!answers || !body.outcome) return;
    if (kind === 'statusAnswer' && body.state !== StatusState.ANSWERED) return;
    const answer = outcomeText(body.outcome);
    if (body.outcome.disposition !== Disposition.REFUSED) this.#checkStored(agentId, body.messageId);
    this.#kept(agentId, body.messageId, answer);
  }

  #kept(agentId: string, messageId: string, answer: string): void {
    const message = this.messages.get(messageId);
    if (!message) {
      this.#recorder.breach('P5', `the gateway answers ${messageId} of ${agentId}, never sent`);
      return;
    }
    // Staff may have a parked message tried again: its answer follows.
    const before = message.answer === PARKED ? undefined : message.answer;
    if (before !== undefined && before !== answer)
      this.#recorder.breach(
        'P5',
        `${message.kind} of ${message.reference} was answered ${before}, then ${answer}`,
      );
    message.answer = answer;
  }

  #checkStored(agentId: string, messageId: string): void {
    void this.#isAnswerStored(agentId, messageId).then((kept) => {
      const message = this.messages.get(messageId);
      if (!kept)
        this.#recorder.breach(
          'P5',
          `${message?.kind} of ${message?.reference} was answered before its commit`,
        );
    });
  }
}

function outcomeText({ disposition, resultCode }: Outcome): string {
  return `${Disposition[disposition]} ${resultCode}`;
}

function describe({ kind, body, sequence, terminalId, id }: Envelope): string {
  const place = sequence > 0 ? ` ${terminalId}#${sequence}` : '';
  const reference = 'reference' in body ? ` ${body.reference}` : '';
  const about = 'messageId' in body ? ` of ..${body.messageId.slice(-6)}` : '';
  const outcome = 'outcome' in body && body.outcome ? ` ${outcomeText(body.outcome)}` : '';
  const state = kind === 'statusAnswer' ? ` ${StatusState[body.state]}` : '';
  const reason = kind === 'goodbye' || kind === 'parked' ? ` ${body.reason}` : '';
  return `${kind} ..${id.slice(-6)}${place}${reference}${about}${state}${outcome}${reason}`;
}
