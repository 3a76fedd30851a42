import type { KeyObject } from 'node:crypto';
import { BridgeError, decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { type AnswerFault, answerFault, enrolmentRequest } from '@tillbridge/wire/bridge/enrolment.js';
import type { EnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import type {
  Challenge,
  EnrolmentAnswer,
  EnrolmentRequest,
  Envelope,
  GatewayPins,
} from '@tillbridge/wire/bridge/messages.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { ENROLMENT_ERRORS } from '../errors/error-table.js';
import type { BridgeSocket, ConnectBridge } from './bridge-socket.js';
import { outsideStreams } from './session-messages.js';

/** Why an enrolment failed. The message has the remedy. */
export class EnrolmentError extends Error {
  override readonly name = 'EnrolmentError';
  readonly code: keyof typeof ENROLMENT_ERRORS;

  constructor(code: keyof typeof ENROLMENT_ERRORS, message: string) {
    super(message);
    this.code = code;
  }
}

/** What an enrolment takes. */
interface EnrolDeps extends Seams {
  readonly code: EnrolmentCode;
  /** The home's agent id; empty where it has none. */
  readonly agentId: string;
  /** The agent's new key. */
  readonly privateKey: KeyObject;
  readonly connect: ConnectBridge;
  readonly timeoutMs: number;
}

/** What the gateway has made of the agent. */
export interface Enrolled extends Pick<EnrolmentAnswer, 'agentId' | 'entityId' | 'generation' | 'terminals'> {
  readonly pins: GatewayPins;
}

const FAULTS: Readonly<Record<AnswerFault, string>> = {
  'other-gateway': 'another gateway answered than the one that gave the code: correct gateway.bridgeUrl',
  'bad-signature':
    'the answer is not signed by the gateway that gave the code: another machine stands in between',
  'bad-pins': 'the gateway gave no pin set that this agent can use: update the older of both',
  'other-channel':
    'the gateway does not name the TLS key that this agent sees: another machine stands in between, or bridge.tlsPins of the gateway is incomplete',
  'other-agent': 'the code is for another agent than this home is',
};

/**
 * Makes the agent's key known to the gateway that gave the code, and learns by what to know that gateway.
 * @throws EnrolmentError
 */
export function enrol(deps: EnrolDeps): Promise<Enrolled> {
  return new Promise((resolve, reject) => new Enrolling(deps, resolve, reject));
}

/** One connection of an enrolment. */
class Enrolling {
  readonly #deps: EnrolDeps;
  readonly #resolve: (enrolled: Enrolled) => void;
  readonly #reject: (error: unknown) => void;
  readonly #socket: BridgeSocket;
  #channel = '';
  #sent: { readonly challenge: Challenge; readonly request: EnrolmentRequest } | undefined;

  constructor(deps: EnrolDeps, resolve: (enrolled: Enrolled) => void, reject: (error: unknown) => void) {
    this.#deps = deps;
    const timer = deps.clock.setTimer(deps.timeoutMs, () =>
      this.#fail(
        'unreachable',
        `the gateway gave no answer within ${deps.timeoutMs} ms: correct the address, or see the log of the gateway`,
      ),
    );
    this.#resolve = (enrolled) => {
      timer.cancel();
      resolve(enrolled);
    };
    this.#reject = (error) => {
      timer.cancel();
      reject(error);
    };
    this.#socket = deps.connect({
      onOpen: (channel) => {
        this.#channel = channel;
      },
      onMessage: (bytes) => this.#received(bytes),
      onViolation: (detail) => this.#fail('refused', `the gateway sent ${detail}`),
      onClose: (detail) => this.#fail('unreachable', detail),
    });
  }

  #received(bytes: Uint8Array): void {
    try {
      this.#take(decodeEnvelope(bytes));
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      this.#fail('refused', `the gateway sent what is no message: ${error.message}`);
    }
  }

  #take({ kind, body }: Envelope): void {
    if (kind === 'challenge' && !this.#sent) this.#ask(body);
    else if (kind === 'enrolmentAnswer' && this.#sent) this.#answered(body, this.#sent);
    else if (kind === 'goodbye') this.#fail('refused', `the gateway refuses the enrolment: ${body.reason}`);
    else this.#fail('refused', `the gateway sent ${kind}`);
  }

  #ask(challenge: Challenge): void {
    const { code, agentId, privateKey, clock, random } = this.#deps;
    const ask = { agentId, nonce: random.bytes(BRIDGE_LIMITS.nonceBytes), channel: this.#channel };
    const request = enrolmentRequest(challenge, code, ask, privateKey);
    this.#sent = { challenge, request };
    const id = newMessageId(clock.nowMs(), random);
    this.#socket.send(encodeEnvelope(outsideStreams(id, 'enrolmentRequest', request) as Envelope), () => {});
  }

  #answered(
    answer: EnrolmentAnswer,
    { challenge, request }: { readonly challenge: Challenge; readonly request: EnrolmentRequest },
  ): void {
    const fault = answerFault(challenge, request, answer, this.#deps.code);
    const { pins } = answer;
    if (fault || !pins) {
      this.#fail(fault ?? 'bad-pins', FAULTS[fault ?? 'bad-pins']);
      return;
    }
    this.#resolve({ ...answer, pins });
    this.#socket.close('enrolled');
  }

  #fail(code: keyof typeof ENROLMENT_ERRORS, message: string): void {
    this.#reject(new EnrolmentError(code, message));
    this.#socket.close('enrolment failed');
  }
}
