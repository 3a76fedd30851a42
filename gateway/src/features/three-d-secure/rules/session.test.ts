import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from './plan.js';
import { beginSession, nextSession, type Outcome, type Session, type SessionEvent } from './session.js';

const PLAN: Plan = { transId: 't', version: '2.2.0', channel: '02', category: '01' };
const IDS = { acsTransID: 'acs', dsTransID: 'ds' };
const ARES: Message<'ARes'> = { messageType: 'ARes', ...IDS, transStatus: 'Y', authenticationValue: 'cavv' };
const CHALLENGE = { ...ARES, transStatus: 'C', acsURL: 'https://acs.example/' };
const RREQ: Message<'RReq'> = { messageType: 'RReq', ...IDS, transStatus: 'Y', authenticationValue: 'cavv' };

const answered = (plan: Partial<Plan>, message: Message<'ARes'> | Message<'Erro'>): Session =>
  nextSession(beginSession({ ...PLAN, ...plan }, 'VISA'), { name: 'answered', message });
const outcomeOf = ({ step }: Session): Outcome | undefined =>
  step.name === 'done' ? step.outcome : undefined;

it('calls the access control server first where it has a method URL', () => {
  const session = beginSession({ ...PLAN, methodUrl: 'https://acs.example/method' }, 'VISA');
  expect(session.step).toEqual({ name: 'method' });
  expect(nextSession(session, { name: 'answered', message: ARES })).toBe(session);
  for (const compInd of ['Y', 'N'] as const)
    expect(nextSession(session, { name: 'method-ended', compInd }).step).toEqual({
      name: 'request',
      compInd,
    });
  expect(beginSession(PLAN, 'VISA').step).toEqual({ name: 'request', compInd: 'U' });
});

describe('the answer to an AReq', () => {
  it.each([
    ['Y', 'VISA', '05'],
    ['A', 'VISA', '06'],
    ['Y', 'MASTER', '02'],
  ])('lets a payment go on with status %s of %s', (transStatus, brand, eci) => {
    const session = nextSession(beginSession(PLAN, brand), {
      name: 'answered',
      message: { ...ARES, transStatus },
    });
    expect(outcomeOf(session)).toEqual({
      flow: 'frictionless',
      status: transStatus,
      eci,
      verificationId: 'cavv',
      dsTransId: 'ds',
      acsTransId: 'acs',
    });
  });

  it.each<[string, Partial<Plan>, string]>([
    ['N', {}, '100.380.401'],
    ['N', { category: '02' }, '100.390.120'],
    ['N', { channel: '03' }, '100.390.121'],
    ['R', {}, '100.390.114'],
    ['U', {}, '000.400.103'],
    ['N', { challengeInd: '05' }, '100.380.401'],
    ['R', { challengeInd: '05' }, '100.390.114'],
    ['U', { challengeInd: '05' }, '000.400.103'],
    ['I', {}, '100.380.401'],
    ['D', {}, '100.380.401'],
    ['C', { channel: '01' }, '000.400.105'],
    ['C', { channel: '03' }, '100.390.115'],
  ])('with status %s of %j refuses with %s, and proves nothing', (transStatus, plan, refusal) => {
    const outcome = outcomeOf(answered(plan, { ...CHALLENGE, transStatus }));
    expect(outcome?.refusal).toBe(refusal);
    expect(outcome).not.toHaveProperty('verificationId');
  });

  it('lets a payment go on for information where an exemption was requested', () => {
    const { authenticationValue: _, ...message } = { ...ARES, transStatus: 'I' };
    expect(outcomeOf(answered({ challengeInd: '05' }, message))).toMatchObject({ status: 'I', eci: '07' });
  });

  it.each([
    ['203', '100.390.115'],
    ['405', '000.400.103'],
  ])('that is error %s refuses with %s', (errorCode, refusal) => {
    expect(outcomeOf(answered({}, { messageType: 'Erro', errorCode }))).toMatchObject({
      flow: 'frictionless',
      refusal,
    });
  });

  it.each([
    [
      '203',
      'browserTZ,billAddrPostCode',
      'customer.browser.timezone: has a form that 3D Secure refuses (field browserTZ); ' +
        'billing.postcode: has a form that 3D Secure refuses (field billAddrPostCode)',
    ],
    ['201', 'sdkAppID', 'threeDSecure.deviceInfo: must be sent for 3D Secure (field sdkAppID)'],
    ['203', 'acsFoo', 'threeDSecure: has a form that 3D Secure refuses (field acsFoo)'],
    ['203', '<script>', undefined],
    ['101', 'messageType', undefined],
  ])('that is error %s of %s names the parameters', (errorCode, errorDetail, detail) => {
    const session = answered({}, { messageType: 'Erro', errorCode, errorDetail });
    expect(outcomeOf(session)).toMatchObject({ refusal: '100.390.115' });
    expect(outcomeOf(session)?.refusalDetail).toBe(detail);
  });

  it.each([
    ['unreachable', '000.400.107'],
    ['unreadable', '100.390.115'],
  ] as const)('that is %s refuses with %s', (why, refusal) => {
    const session = nextSession(beginSession(PLAN, 'VISA'), { name: 'not-answered', why });
    const unreadable = expect.stringMatching(/answer of the directory server breaks its format/);
    expect(outcomeOf(session)).toEqual({
      flow: 'frictionless',
      refusal,
      ...(why === 'unreadable' && { refusalDetail: unreadable }),
    });
  });

  it('that a challenge follows, which cannot be shown, names the transaction and no parameter', () => {
    const ids = { flow: 'challenge', acsTransId: 'acs', dsTransId: 'ds' };
    expect(outcomeOf(answered({ channel: '01' }, CHALLENGE))).toEqual({
      ...ids,
      refusal: '000.400.105',
      status: 'C',
    });
    const { acsURL: _, ...nowhere } = CHALLENGE;
    for (const session of [answered({ channel: '03' }, CHALLENGE), answered({}, nowhere)])
      expect(outcomeOf(session)).toEqual({
        ...ids,
        refusal: '100.390.115',
        refusalDetail: expect.stringMatching(/no parameter is wrong$/),
      });
  });

  it('that refuses shows the reason, and no ECI', () => {
    const session = answered({}, { ...ARES, transStatus: 'N', transStatusReason: '11', eci: '07' });
    expect(outcomeOf(session)).toEqual({
      ...{ flow: 'frictionless', refusal: '100.380.401', status: 'N', statusReason: '11' },
      ...{ acsTransId: 'acs', dsTransId: 'ds' },
    });
  });

  it('brings the ECI of the server before that of the brand', () => {
    expect(outcomeOf(answered({}, { ...ARES, eci: '06' }))?.eci).toBe('06');
  });
});

it('ends an authentication whose AReq cannot be written, with the parameters', () => {
  const event = { name: 'not-sent', errorCode: '201', detail: 'browserTZ' } as const;
  expect(outcomeOf(nextSession(beginSession(PLAN, 'VISA'), event))).toEqual({
    flow: 'frictionless',
    refusal: '100.390.115',
    refusalDetail: 'customer.browser.timezone: must be sent for 3D Secure (field browserTZ)',
  });
});

describe('an event', () => {
  const sessions = () => [
    beginSession({ ...PLAN, methodUrl: 'https://acs.example/method' }, 'VISA'),
    beginSession(PLAN, 'VISA'),
    answered({}, CHALLENGE),
    answered({ decoupled: true }, { ...ARES, transStatus: 'D' }),
    answered({ decoupled: true }, ARES),
  ];
  const events: readonly [event: SessionEvent, ...belongsTo: Session['step']['name'][]][] = [
    [{ name: 'method-ended', compInd: 'Y' }, 'method'],
    [{ name: 'answered', message: ARES }, 'request'],
    [{ name: 'answered', message: { messageType: 'Erro', errorCode: '203' } }, 'request'],
    [{ name: 'not-answered', why: 'unreachable' }, 'request'],
    [{ name: 'not-answered', why: 'unreadable' }, 'request'],
    [{ name: 'not-sent', errorCode: '201', detail: 'browserTZ' }, 'request'],
    [{ name: 'result', message: RREQ }, 'challenge', 'decoupled'],
  ];

  it.each(events)('%j changes only the steps that it belongs to', (event, ...belongsTo) => {
    const all = sessions();
    const names = all.map(({ step }) => step.name);
    expect(names).toEqual(['method', 'request', 'challenge', 'decoupled', 'done']);
    const changed = all.filter((session) => nextSession(session, event) !== session);
    expect(changed.map(({ step }) => step.name)).toEqual(belongsTo);
  });
});

describe('the result', () => {
  // Made in each test: a mutation is active in tests only, and what is made outside of them has the unchanged code.
  let challenged: Session;
  beforeEach(() => {
    challenged = answered({}, CHALLENGE);
  });
  const withResult = (message: Message<'RReq'>, session = challenged) =>
    nextSession(session, { name: 'result', message });

  it('is the outcome of a challenge', () => {
    expect(challenged.step).toMatchObject({ name: 'challenge', acsUrl: 'https://acs.example/' });
    expect(outcomeOf(withResult(RREQ))).toMatchObject({ status: 'Y', flow: 'challenge', eci: '05' });
  });

  it('refuses a challenge that failed, was cancelled, or was not carried out', () => {
    const of = (more: Message<'RReq'>) => outcomeOf(withResult({ ...RREQ, ...more }))?.refusal;
    expect(of({ transStatus: 'N' })).toBe('100.380.401');
    expect(of({ transStatus: 'N', challengeCancel: '01' })).toBe('100.390.124');
    expect(of({ transStatus: 'U' })).toBe('000.400.103');
  });

  it('of another transaction, before a challenge or after the end changes nothing', () => {
    expect(withResult({ ...RREQ, dsTransID: 'other' })).toBe(challenged);
    expect(withResult({ ...RREQ, acsTransID: 'other' })).toBe(challenged);
    const begun = beginSession(PLAN, 'VISA');
    expect(withResult(RREQ, begun)).toBe(begun);
    const ended = withResult(RREQ);
    expect(withResult({ ...RREQ, transStatus: 'N' }, ended)).toBe(ended);
  });

  it('ends a decoupled authentication', () => {
    const session = answered({ decoupled: true }, { ...ARES, transStatus: 'D' });
    expect(session.step.name).toBe('decoupled');
    expect(outcomeOf(withResult(RREQ, session))).toMatchObject({ status: 'Y', flow: 'decoupled' });
    expect(outcomeOf(withResult({ ...RREQ, transStatus: 'N' }, session))?.refusal).toBe('100.390.122');
  });
});
