import { findAuthenticationCourse } from '@tillbridge/wire/payment/authentication-test-cards.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { encodeCReq, encodeMethodData } from '@tillbridge/wire/three-d-secure/browser-messages.js';
import { challengeWindowOf } from '@tillbridge/wire/three-d-secure/challenge-windows.js';
import type { TestFlow } from '@tillbridge/wire/three-d-secure/test-flow.js';
import type { AcquirerRedirect, RedirectPrecondition } from '../../core/acquirers/acquirer.js';
import type { Sent } from '../../core/payments/three-d-secure/sent.js';
import type { EntityRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { ThreeDSecureAddresses } from './addresses.js';
import type { DirectoryClient } from './directory-client.js';
import { type AReqFacts, areqOf } from './rules/areq.js';
import { type Plan, planOf } from './rules/plan.js';
import { beginSession, nextSession, type Session, type SessionEvent } from './rules/session.js';

/** Whom an authentication is about. Memory only: it has the card. */
export interface Subject {
  readonly entityId: string;
  readonly card: AReqFacts['card'];
  readonly brand: string | null;
  /** What the cardholder authenticates. */
  readonly amount: Money;
  readonly sent: Sent;
}

/** What authentications need. */
interface AuthenticatorOptions {
  readonly store: Pick<Store, 'get'>;
  readonly directory: DirectoryClient;
  /** Undefined while the gateway has no address. */
  readonly addresses: () => ThreeDSecureAddresses | undefined;
  readonly newTransId: () => string;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** `live`: nothing of the test mode is there. */
  readonly mode: 'test' | 'live';
}

/** Codes of what cannot begin: the directory server was never reached; the gateway has no address for its pages. */
const CODES = { unreachable: '000.400.107', notConfigured: '000.400.104' } as const;

/** Carries sessions on: calls the directory server, and decides where browsers go. What it decides is in `decide/`. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** A new session as far as it goes without the browser, or the result code of why there is none. */
  async begin(subject: Subject): Promise<Session | string> {
    const { directory: client, newTransId, mode } = this.#options;
    if (!this.#options.addresses()) return CODES.notConfigured;
    const directory = await client.directory();
    if (!directory) return CODES.unreachable;
    const isTest = mode === 'test';
    const planned = planOf({
      transId: newTransId(),
      pan: subject.card.pan,
      sent: subject.sent,
      directory,
      isOutside: (pan) => isTest && findAuthenticationCourse(pan) !== undefined,
      enrolledByTest: isTest && isEnrolledByTest(subject.sent),
    });
    if (planned.kind === 'refuse') return planned.resultCode;
    return this.carryOn(beginSession(planned.plan, subject.brand), subject);
  }

  /** The session after an event, as far as it goes without the browser. */
  async carryOn(session: Session, subject: Subject, event?: SessionEvent): Promise<Session> {
    const next = event ? nextSession(session, event) : session;
    const { step, plan } = next;
    if (step.name !== 'request') return next;
    const facts = await this.#facts(subject, plan.transId);
    return nextSession(next, await this.#options.directory.authenticate(areqOf(plan, facts, step.compInd)));
  }

  /** Where the browser goes now; undefined where it is not needed. */
  redirectOf({ step, plan }: Session, sent: Sent): AcquirerRedirect | undefined {
    const addresses = this.#addresses();
    if (step.name === 'method')
      return {
        url: addresses.method(plan.transId),
        method: 'GET',
        parameters: [],
        preconditions: preconditionsOf(addresses, plan),
      };
    if (step.name !== 'challenge') return undefined;
    const creq = encodeCReq({
      messageType: 'CReq',
      messageVersion: plan.version,
      threeDSServerTransID: plan.transId,
      acsTransID: step.acsTransId,
      challengeWindowSize: challengeWindowOf(sent['customer.browser.challengeWindow']),
    });
    return { url: step.acsUrl, method: 'POST', parameters: [{ name: 'creq', value: creq }] };
  }

  async #facts({ entityId, card, amount, sent }: Subject, transId: string): Promise<AReqFacts> {
    const { store, clock, mode } = this.#options;
    const addresses = this.#addresses();
    const entity: Pick<EntityRow, 'id' | 'name'> = (await store.get('entities', [entityId])) ?? {
      id: entityId,
      name: '',
    };
    const testFlow = mode === 'test' ? testFlowOf(sent, card.pan) : undefined;
    return {
      card,
      amount,
      sent,
      entity,
      resultsUrl: addresses.results,
      notificationUrl: addresses.back(transId),
      nowMs: clock.nowMs(),
      ...(testFlow && { testFlow }),
    };
  }

  #addresses(): ThreeDSecureAddresses {
    const addresses = this.#options.addresses();
    if (!addresses) throw new Error('the gateway has no address for the pages of 3D Secure');
    return addresses;
  }
}

/** `threeDSMethodData` of a transaction. */
export function methodDataOf(addresses: ThreeDSecureAddresses, transId: string): string {
  const threeDSMethodNotificationURL = addresses.methodNotification(transId);
  return encodeMethodData({ threeDSServerTransID: transId, threeDSMethodNotificationURL });
}

/** The method call as the page of a shop makes it before it sends the browser to ours (EMV 3DS section 5.8.1). */
function preconditionsOf(
  addresses: ThreeDSecureAddresses,
  { transId, methodUrl: url }: Plan,
): readonly RedirectPrecondition[] {
  if (url === undefined) return [];
  const parameters = [{ name: 'threeDSMethodData', value: methodDataOf(addresses, transId) }];
  const description = 'Hidden iframe post for 3D Secure 2.0';
  return [
    { origin: 'iframe#hidden', waitUntil: 'iframe#onload', description, method: 'POST', url, parameters },
  ];
}

const ENROLLED = 'customParameters[3DS2_enrolled]';

function isEnrolledByTest(sent: Sent): boolean {
  return sent[ENROLLED] === 'true' || sent['customParameters[3DS2_flow]'] !== undefined;
}

/** The course that a test requests; a card that it enrols goes without a challenge unless it names one (docs/test-mode.md). */
function testFlowOf(sent: Sent, pan = ''): TestFlow | undefined {
  const flow = sent['customParameters[3DS2_flow]'];
  if (flow === 'challenge' || flow === 'frictionless') return flow;
  const hasCourse = findAuthenticationCourse(pan)?.behaviour !== undefined;
  return sent[ENROLLED] === 'true' && !hasCourse ? 'frictionless' : undefined;
}
