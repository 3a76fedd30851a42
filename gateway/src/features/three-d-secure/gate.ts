import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import type { Gate, GatedPayment, GateVerdict } from '../../core/payments/gates/gate.js';
import { authenticatedAmount } from '../../core/payments/three-d-secure/foreign-proof.js';
import type { AuthenticationRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import type { WaitSeal } from '../../security/vault/wait-seal.js';
import { answerOf, newAuthenticationRow, openJson } from './authentication-row.js';
import type { Authenticator, Subject } from './authenticator.js';
import { broughtProof } from './brought-proof.js';
import { covers, decisionOf, proofOf, shownOutcome } from './rules/answers.js';
import type { Session, SessionEvent } from './rules/session.js';

/** What the gate works with. */
interface ThreeDSecureGateOptions {
  readonly authenticator: Authenticator;
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly fingerprint: Fingerprint;
  readonly seal: WaitSeal;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Answer of issuers to more than was authenticated: that starts no authentication. */
const BELOW_PAYMENT = {
  verdict: 'refuse',
  resultCode: '800.100.158',
  detail: 'threeDSecure.amount: must cover the payment, in its currency',
} as const satisfies GateVerdict;

/** 3D Secure between the checks of a payment and the acquirer. Its state is the session; what happens meanwhile is in the row of the payment. */
export class ThreeDSecureGate implements Gate {
  readonly name = '3-d-secure';
  readonly #options: ThreeDSecureGateOptions;

  constructor(options: ThreeDSecureGateOptions) {
    this.#options = options;
  }

  async pass(payment: GatedPayment): Promise<GateVerdict> {
    const subject = subjectOf(payment);
    if (!subject) return broughtProof(this.#options, payment);
    const isFree = subject.sent['threeDSecure.npa'] === 'true';
    if (!isFree && !covers(subject.amount, payment.request.amount)) return BELOW_PAYMENT;
    const session = await this.#options.authenticator.begin(subject);
    if (typeof session === 'string') return { verdict: 'refuse', resultCode: session };
    if (session.step.name !== 'done') {
      const { store, clock } = this.#options;
      const row = newAuthenticationRow(payment.paymentId, subject.entityId, session, clock.nowMs());
      await store.commit([{ op: 'insert', table: 'authentications', row }]);
    }
    return this.#verdict(payment, subject, session);
  }

  async again(payment: GatedPayment, state: unknown): Promise<GateVerdict> {
    const { store, authenticator } = this.#options;
    const subject = subjectOf(payment);
    if (!subject) throw new Error(`payment ${payment.paymentId} has nothing to authenticate`);
    let session = state as Session;
    const row = await store.get('authentications', [payment.paymentId]);
    const event = row && (await this.#eventOf(session, row));
    if (row && event) {
      session = await authenticator.carryOn(session, subject, event);
      await store.commit([
        { op: 'update', table: 'authentications', row: { ...row, answer: answerOf(session) } },
      ]);
    }
    return this.#verdict(payment, subject, session);
  }

  /** What has happened since; the method call's end is reported once, the result until the payment has used it. */
  async #eventOf(session: Session, row: AuthenticationRow): Promise<SessionEvent | undefined> {
    if (session.step.name === 'method')
      return row.compInd === null ? undefined : { name: 'method-ended', compInd: row.compInd };
    const message = (await openJson(this.#options.seal, row)) as Message<'RReq'> | undefined;
    return message && { name: 'result', message };
  }

  #verdict(payment: GatedPayment, { amount, sent }: Subject, session: Session): GateVerdict {
    const { step, plan } = session;
    const decisions = [decisionOf(session)];
    if (step.name === 'done') {
      const { outcome } = step;
      const shown = { threeDSecure: shownOutcome(plan, outcome) };
      if (outcome.refusal !== undefined) {
        const detail = present({ detail: outcome.refusalDetail });
        return { verdict: 'refuse', resultCode: outcome.refusal, ...detail, shown, decisions };
      }
      const request = { ...payment.request, authentication: proofOf(plan, outcome, amount) };
      return { verdict: 'pass', request, shown, decisions };
    }
    const redirect = this.#options.authenticator.redirectOf(session, sent);
    return {
      verdict: 'wait',
      waiting: { kind: 'challenge', ...(redirect && { redirect }) },
      state: session,
      shown: { threeDSecure: shownOutcome(plan) },
      decisions,
    };
  }
}

/** Whom a payment authenticates; undefined where 3D Secure is not processed. */
function subjectOf({ request, instrument }: GatedPayment): Subject | undefined {
  const { threeDSecure: sent, origin, amount, brand } = request;
  if (!sent || instrument.kind !== 'card') return undefined;
  const { pan, expiryMonth, expiryYear, numberType, proof } = instrument;
  // The token of a wallet that has authenticated its holder.
  if (numberType === 'DPAN' || proof) return undefined;
  const holder = request.card?.holder;
  return {
    entityId: origin.entityId,
    card: { pan, expiryMonth, expiryYear, ...(holder !== undefined && { holder }) },
    brand: brand ?? detectBrand(pan)?.key ?? null,
    amount: authenticatedAmount(sent, amount),
    sent,
  };
}
