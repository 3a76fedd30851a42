import { createPublicKey, type KeyObject } from 'node:crypto';
import { enrolmentAnswer, isByCode, provenKey } from '@tillbridge/wire/bridge/enrolment.js';
import type {
  Challenge,
  EnrolmentAnswer,
  EnrolmentRequest,
  GatewayPins,
} from '@tillbridge/wire/bridge/messages.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { decideAgain, unlessConflict } from '../../../kernel/store/decide-again.js';
import type { EnrolmentCodeRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { decideEnrolment, type EnrolmentVerdict } from './decide-enrolment.js';
import type { RaiseTrustAlert } from './trust-alerts.js';

/** What enrolment works with. */
interface EnrolmentDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly signingKey: KeyObject;
  /** What agents are to pin now. */
  readonly pins: () => GatewayPins;
  readonly alert: RaiseTrustAlert;
}

/** Makes agents known that have a one-time code. */
export class Enrolment {
  readonly #deps: EnrolmentDeps;

  constructor(deps: EnrolmentDeps) {
    this.#deps = deps;
  }

  /**
   * The answer to a request, durable before it is given; undefined for every refusal.
   * @param channels that the agent may see over this connection
   * @throws StoreUnavailableError
   */
  async take(
    challenge: Challenge,
    request: EnrolmentRequest,
    channels: readonly string[],
  ): Promise<EnrolmentAnswer | undefined> {
    const round = async (): Promise<EnrolmentAnswer | undefined> => {
      const code = await this.#deps.store.get('enrolmentCodes', [request.codeId]);
      const verdict = await this.#decide(challenge, request, channels, code);
      if (verdict.kind !== 'repeat' && verdict.changes.length > 0)
        await this.#deps.store.commit(verdict.changes);
      if (verdict.kind === 'refuse') {
        if (verdict.alert) this.#deps.alert(verdict.alert);
        return undefined;
      }
      return code && this.#answer(challenge, request, code);
    };
    return unlessConflict(
      () => decideAgain(this.#deps, round, { key: `enrolmentCodes/${request.codeId}` }),
      undefined,
    );
  }

  async #decide(
    challenge: Challenge,
    request: EnrolmentRequest,
    channels: readonly string[],
    code: EnrolmentCodeRow | undefined,
  ): Promise<EnrolmentVerdict> {
    const { store, clock } = this.#deps;
    return decideEnrolment({
      request,
      code,
      agent: code && (await store.get('agents', [code.agentId])),
      isByCode: code !== undefined && isByCode(challenge, request, createPublicKey(code.publicKey)),
      key: provenKey(challenge, request)?.export({ type: 'spki', format: 'pem' }).toString(),
      channelFits: channels.includes(request.channel),
      nowMs: clock.nowMs(),
    });
  }

  #answer(challenge: Challenge, request: EnrolmentRequest, code: EnrolmentCodeRow): EnrolmentAnswer {
    const { agentId, entityId, generation } = code;
    const terminals = JSON.parse(code.terminals) as string[];
    const enrolled = { agentId, entityId, generation, terminals, pins: this.#deps.pins() };
    return enrolmentAnswer(challenge, request, enrolled, this.#deps.signingKey);
  }
}
