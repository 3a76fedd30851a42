import { present } from '@tillbridge/wire/present.js';
import { eciOf } from '@tillbridge/wire/three-d-secure/eci.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { refusedFieldsText } from './field-parameters.js';
import type { Plan } from './plan.js';

/** An authentication on its way: a plan, and what is to happen next. JSON: it is kept while a payment waits. */
export interface Session {
  readonly plan: Plan;
  /** Of the card, for the ECI where no server gives one. */
  readonly brand: string | null;
  readonly step: Step;
}

/** What happens next. */
export type Step =
  /** The browser calls the access control server. */
  | { readonly name: 'method' }
  /** The AReq is sent. */
  | { readonly name: 'request'; readonly compInd: 'Y' | 'N' | 'U' }
  /** The browser is at the access control server. */
  | {
      readonly name: 'challenge';
      readonly acsUrl: string;
      readonly acsTransId: string;
      readonly dsTransId: string;
    }
  /** The cardholder is authenticated elsewhere (decoupled). */
  | { readonly name: 'decoupled'; readonly acsTransId: string; readonly dsTransId: string }
  | { readonly name: 'done'; readonly outcome: Outcome };

/** How an authentication ended. */
export interface Outcome {
  /** Result code of what ends here; absent where the payment goes on. */
  readonly refusal?: string;
  /** Which parameters were refused and why, for the merchant; nothing of their values. */
  readonly refusalDetail?: string;
  /** `transStatus`, where a server has sent one. */
  readonly status?: string;
  readonly statusReason?: string;
  readonly flow: 'frictionless' | 'challenge' | 'decoupled';
  readonly eci?: string;
  /** The authentication value. */
  readonly verificationId?: string;
  readonly dsTransId?: string;
  readonly acsTransId?: string;
}

/** What has happened. */
export type SessionEvent =
  | { readonly name: 'method-ended'; readonly compInd: 'Y' | 'N' }
  | { readonly name: 'answered'; readonly message: Message<'ARes'> | Message<'Erro'> }
  /** No answer, or none that can be read. */
  | { readonly name: 'not-answered'; readonly why: 'unreachable' | 'unreadable' }
  /** A message could not be written: fields are missing, or have a wrong form. */
  | { readonly name: 'not-sent'; readonly errorCode: string; readonly detail: string }
  | { readonly name: 'result'; readonly message: Message<'RReq'> };

const CODES = {
  unreachable: '000.400.107',
  format: '100.390.115',
  fault: '000.400.103',
  failed: '100.380.401',
  refused: '100.390.114',
  cancelled: '100.390.124',
  app: '000.400.105',
  nonPayment: '100.390.120',
  requestorInitiated: '100.390.121',
  decoupled: '100.390.122',
} as const;

/** The text where the answer of a server is wrong, and no parameter. */
const UNREADABLE =
  'threeDSecure: the answer of the directory server breaks its format; no parameter is wrong';

/** A new session. */
export function beginSession(plan: Plan, brand: string | null): Session {
  const step: Step = plan.methodUrl === undefined ? { name: 'request', compInd: 'U' } : { name: 'method' };
  return { plan, brand, step };
}

/** The session after an event; an event that does not belong to its step changes nothing. Pure. */
export function nextSession(session: Session, event: SessionEvent): Session {
  const step = nextStep(session, event);
  return step ? { ...session, step } : session;
}

function nextStep(session: Session, event: SessionEvent): Step | undefined {
  const { step } = session;
  switch (event.name) {
    case 'method-ended':
      return step.name === 'method' ? { name: 'request', compInd: event.compInd } : undefined;
    case 'answered':
      return step.name === 'request' ? afterAnswer(session, event.message) : undefined;
    case 'not-answered':
      if (step.name !== 'request') return undefined;
      return event.why === 'unreachable'
        ? refuse(CODES.unreachable, { flow: 'frictionless' })
        : refuse(CODES.format, { flow: 'frictionless', refusalDetail: UNREADABLE });
    case 'not-sent':
      return step.name === 'request' ? wrongFields(event.errorCode, event.detail) : undefined;
    case 'result':
      return step.name === 'challenge' || step.name === 'decoupled'
        ? afterResult(session, step, event.message)
        : undefined;
  }
}

function isErro(message: Message<'ARes'> | Message<'Erro'>): message is Message<'Erro'> {
  return message.messageType === 'Erro';
}

/** Error codes of a server that may be well later: what else is wrong is in our message. */
const SERVER_FAULTS: readonly string[] = ['402', '403', '404', '405'];

function afterAnswer(session: Session, message: Message<'ARes'> | Message<'Erro'>): Step {
  if (isErro(message)) {
    const isTheirs = SERVER_FAULTS.includes(message.errorCode ?? '');
    if (isTheirs) return refuse(CODES.fault, { flow: 'frictionless' });
    return wrongFields(message.errorCode, message.errorDetail);
  }
  const { plan } = session;
  const { acsTransID: acsTransId = '', dsTransID: dsTransId = '', acsURL: acsUrl } = message;
  if (message.transStatus === 'D' && plan.decoupled) return { name: 'decoupled', acsTransId, dsTransId };
  if (message.transStatus === 'C') {
    if (plan.channel === '01')
      return refuse(CODES.app, { flow: 'challenge', status: 'C', acsTransId, dsTransId });
    if (plan.channel === '02' && acsUrl !== undefined)
      return { name: 'challenge', acsUrl, acsTransId, dsTransId };
    return refuse(CODES.format, { flow: 'challenge', acsTransId, dsTransId, refusalDetail: UNREADABLE });
  }
  return done(session, 'frictionless', message);
}

function wrongFields(errorCode: string | undefined, detail: string | undefined): Step {
  const refusalDetail = refusedFieldsText(errorCode, detail);
  return refuse(CODES.format, { flow: 'frictionless', ...present({ refusalDetail }) });
}

/** The outcome is that of the result, never of what the browser brings back. */
function afterResult(
  session: Session,
  { acsTransId, dsTransId, name: flow }: Extract<Step, { readonly name: 'challenge' | 'decoupled' }>,
  message: Message<'RReq'>,
): Step | undefined {
  if (message.acsTransID !== acsTransId || message.dsTransID !== dsTransId) return undefined;
  return done(session, flow, message);
}

function done(
  { plan, brand }: Session,
  flow: Outcome['flow'],
  message: Message<'ARes'> & Pick<Message<'RReq'>, 'challengeCancel'>,
): Step {
  const {
    transStatus: status,
    transStatusReason: statusReason,
    authenticationValue,
    challengeCancel,
  } = message;
  const outcome: Outcome = {
    flow,
    ...present({
      status,
      statusReason,
      eci: message.eci ?? eciOf(brand, status),
      verificationId: authenticationValue,
      dsTransId: message.dsTransID,
      acsTransId: message.acsTransID,
    }),
  };
  const passes = status === 'Y' || status === 'A' || (status === 'I' && plan.challengeInd !== undefined);
  if (passes) return { name: 'done', outcome };
  const { eci: _, verificationId: __, ...shown } = outcome;
  return refuse(refusalOf(plan, flow, status, challengeCancel), shown);
}

function refusalOf(
  { channel, category }: Plan,
  flow: Outcome['flow'],
  status: string | undefined,
  challengeCancel: string | undefined,
): string {
  if (status === 'U') return CODES.fault;
  if (status === 'R') return CODES.refused;
  if (flow === 'decoupled') return CODES.decoupled;
  if (challengeCancel !== undefined) return CODES.cancelled;
  if (channel === '03') return CODES.requestorInitiated;
  return category === '02' ? CODES.nonPayment : CODES.failed;
}

function refuse(refusal: string, about: Omit<Outcome, 'refusal'>): Step {
  return { name: 'done', outcome: { ...about, refusal } };
}
