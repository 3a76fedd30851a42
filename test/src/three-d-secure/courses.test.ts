import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, BROWSER, card, type Form, Merchant, PAYMENT, SHOP } from './merchant.js';
import { callBefore, type Shopper, walk } from './shopper.js';
import { startThreeDSecureStack, type ThreeDSecureStack } from './three-d-secure-stack.js';

const FRICTIONLESS = '4200000000000026';
const CHALLENGE = '4200000000000067';
const METHOD_CHALLENGE = '4200000000000042';
const POLL_INTERVAL_MS = 100;
/** An entry of a timeline for 3-D Secure: the gateway noted it, by its own clock. */
const AT_GATEWAY = { step: '3-d-secure', source: 'gateway', clock: 'gateway' };
const APPROVED = '000.100.110';
const RIGHT: Shopper = { code: '1234', shop: SHOP };

let stack: ThreeDSecureStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await startThreeDSecureStack('three-d-secure-courses');
  merchant = new Merchant(stack);
});
afterAll(() => stack.end());

const lastAReq = () => stack.recorder.of('AReq').at(-1)?.request ?? {};
const state = (id: string) => merchant.get(`/v1/payments/${id}`);

/** Polls until the code is another than that of a payment that waits. */
async function ended(path: string, onPoll: () => void = () => undefined): Promise<Answer> {
  for (;;) {
    const answer = await merchant.get(path);
    onPoll();
    if (answer.result.code !== '000.200.000') return answer;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

describe('a challenge', () => {
  it('that the shopper fails, cancels or leaves', async () => {
    const wrong = await merchant.pay(CHALLENGE);
    let tries = 0;
    const { forms } = await walk(wrong.redirect, {
      ...RIGHT,
      code: '0000',
      onStep: async (step) => {
        if (step === 'challenge') tries += 1;
      },
    });
    expect(tries).toBe(3);
    expect(forms.some(({ fields }) => 'cres' in fields)).toBe(true);
    expect((await state(wrong.id)).result.code).toBe('100.380.401');
    const left = await merchant.pay(CHALLENGE);
    await walk(left.redirect, { ...RIGHT, code: undefined });
    expect((await state(left.id)).result.code).toBe('000.200.000');
  });

  it('comes at once where the page of the shop has made the method call before', async () => {
    const { paymentType: _, ...alone } = { ...PAYMENT, ...card(METHOD_CHALLENGE) };
    const begun = [await merchant.pay(METHOD_CHALLENGE), await merchant.post('/v1/threeDSecure', alone)];
    for (const { redirect } of begun) {
      if (!redirect) throw new Error('the answer sends the shopper nowhere');
      expect(redirect.preconditions).toMatchObject([
        {
          origin: 'iframe#hidden',
          waitUntil: 'iframe#onload',
          method: 'POST',
          parameters: [{ name: 'threeDSMethodData' }],
        },
      ]);
      expect(await callBefore(redirect)).toBe(1);
      const steps: string[] = [];
      await walk(redirect, {
        ...RIGHT,
        onStep: async (step) => {
          steps.push(step);
        },
      });
      expect(steps).toEqual(['challenge', 'challenge-ended']);
      expect(lastAReq()).toMatchObject({ threeDSCompInd: 'Y' });
    }
  });

  it('ends approved while a client polls every 100 ms', async () => {
    const begun = await merchant.pay(METHOD_CHALLENGE);
    let polls = 0;
    let isPolling = true;
    const polled = ended(`/v1/payments/${begun.id}`, () => {
      polls += 1;
    }).finally(() => {
      isPolling = false;
    });
    await walk(begun.redirect, {
      ...RIGHT,
      // Nothing happens at the shopper's before there were three more.
      onStep: async () => {
        const until = polls + 3;
        while (isPolling && polls < until) await new Promise(setImmediate);
      },
    });
    expect((await polled).result.code).toBe(APPROVED);
    const { timeline } = await merchant.get(`/v1/payments/${begun.id}/timeline`);
    const { dsTransactionId: _, ...proof } = (await state(begun.id)).threeDSecure ?? {};
    expect(proof).toMatchObject({ authenticationStatus: 'Y', flow: 'challenge', eci: '05' });
    expect(
      timeline?.filter(({ step }) => step === '3-d-secure').map(({ at: __, ...entry }) => entry),
    ).toEqual([
      { ...AT_GATEWAY, by: 'gateway', detail: 'method, version 2.2.0' },
      { ...AT_GATEWAY, by: 'gateway', detail: 'challenge, version 2.2.0' },
      {
        ...AT_GATEWAY,
        by: 'access control server',
        rule: 'Y',
        detail: 'challenge, version 2.2.0, ECI 05',
      },
    ]);
  });

  it.each(['01', '02', '03', '04', '05'])('has the window size %s', async (size) => {
    const begun = await merchant.pay(CHALLENGE, { 'customer.browser.challengeWindow': size.slice(1) });
    const creq = begun.redirect?.parameters.find(({ name }) => name === 'creq')?.value ?? '';
    expect(JSON.parse(Buffer.from(creq, 'base64url').toString())).toMatchObject({
      challengeWindowSize: size,
    });
  });

  it('of a checkout leads back to the shop by the checkout, with what the form and the browser sent', async () => {
    const purchase = { amount: '12.34', currency: 'EUR', paymentType: 'DB', shopperResultUrl: `${SHOP}done` };
    const { id } = await merchant.post('/v1/checkouts', purchase);
    const gathered = Object.entries(BROWSER).filter(
      ([name]) => name.startsWith('customer.browser.') && !/acceptHeader|userAgent/.test(name),
    );
    const body = new URLSearchParams({ ...card(CHALLENGE), ...Object.fromEntries(gathered) });
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (test)' };
    const response = await fetch(`${stack.url}/v1/checkouts/${id}/payment`, {
      method: 'POST',
      body,
      headers,
    });
    const begun = (await response.json()) as Answer;
    expect(begun.result.code).toBe('000.200.000');
    expect(lastAReq()).toMatchObject({
      browserUserAgent: headers['user-agent'],
      browserAcceptHeader: headers.accept,
    });
    const { end } = await walk(begun.redirect, RIGHT);
    expect(end).toBe(`${SHOP}done?id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`);
    expect((await merchant.get(`/v1/checkouts/${id}/payment`)).result.code).toBe(APPROVED);
  });

  it('takes its outcome from the result, whatever the browser brings back', async () => {
    const begun = await merchant.pay('4200000000000075');
    const back = String(lastAReq().notificationURL);
    const { threeDSServerTransID } = lastAReq();
    const acsTransID = stack.recorder.of('AReq').at(-1)?.answer.acsTransID;
    const cres = {
      messageType: 'CRes',
      messageVersion: '2.2.0',
      threeDSServerTransID,
      acsTransID,
      transStatus: 'Y',
    };
    const body = new URLSearchParams({ cres: Buffer.from(JSON.stringify(cres)).toString('base64url') });
    const answer = await fetch(back, { method: 'POST', body, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect((await state(begun.id)).result.code).toBe('000.200.000');
    expect((await fetch(back, { method: 'POST', redirect: 'manual' })).status).toBe(404);
    await walk(begun.redirect, RIGHT);
    expect((await state(begun.id)).result.code).toBe('100.380.401');
  });

  it('takes no result of a stranger, and no result twice', async () => {
    const begun = await merchant.pay(CHALLENGE);
    const { threeDSServerURL, threeDSServerTransID } = lastAReq();
    const forged = {
      messageType: 'RReq',
      messageVersion: '2.2.0',
      threeDSServerTransID,
      acsTransID: stack.recorder.of('AReq').at(-1)?.answer.acsTransID,
      dsTransID: '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3',
      messageCategory: '01',
      transStatus: 'Y',
      authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
      authenticationType: '02',
      interactionCounter: '01',
    };
    const post = async (message: object) => {
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const answer = await fetch(String(threeDSServerURL), {
        method: 'POST',
        body: JSON.stringify(message),
        headers,
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    expect(await post(forged)).toMatchObject({ messageType: 'Erro', errorCode: '301', errorComponent: 'S' });
    expect(await post({})).toMatchObject({ messageType: 'Erro', errorCode: '101' });
    expect((await state(begun.id)).result.code).toBe('000.200.000');
    await walk(begun.redirect, RIGHT);
    expect((await state(begun.id)).result.code).toBe(APPROVED);
    const result: Record<string, unknown> = { ...stack.recorder.of('RReq').at(-1)?.request };
    const { authenticationValue: _, ...rest } = result;
    const refusing = { ...rest, transStatus: 'N', transStatusReason: '01' };
    expect(await post(refusing)).toMatchObject({ messageType: 'RRes' });
    expect((await state(begun.id)).result.code).toBe(APPROVED);
  });
});

it('sends N where the notification of the method call is lost', async () => {
  const begun = await merchant.pay('4200000000000091');
  await walk(begun.redirect, { ...RIGHT, loseNotification: true });
  expect(lastAReq().threeDSCompInd).toBe('N');
  expect((await state(begun.id)).result.code).toBe(APPROVED);
});

describe('the content of the request', () => {
  it.each<[string, Form, object]>([
    [
      'a wish for a challenge',
      { 'threeDSecure.challengeIndicator': '04' },
      { threeDSRequestorChallengeInd: '04' },
    ],
    [
      'a separate amount',
      { 'threeDSecure.amount': '20.00', 'risk.amount': '15.00' },
      { purchaseAmount: '2000', purchaseCurrency: '978' },
    ],
    ['risk.amount', { 'risk.amount': '15.00' }, { purchaseAmount: '1500' }],
    ['an older version', { 'threeDSecure.version': '2.1.0' }, { messageVersion: '2.1.0' }],
    [
      'a merchant',
      { 'threeDSecure.merchant.name': 'Shop 7', 'threeDSecure.merchant.country': 'AUT' },
      { merchantName: 'Shop 7', merchantCountryCode: '040' },
    ],
    [
      'what the French scheme requires',
      {
        paymentBrand: 'CARTEBANCAIRE',
        'threeDSecure.schemeData[CB-USECASE]': '01',
        'threeDSecure.schemeData[CB-ITEMSNB]': '03',
        'threeDSecure.schemeData[CB-SCORE_MERCHANT]': '42',
        'threeDSecure.v2.CARTEBANCAIRE.requestorId': 'REQ1',
      },
      {
        threeDSRequestorID: 'REQ1',
        messageExtension: [
          {
            criticalityIndicator: false,
            data: { 'CB-USECASE': '01', 'CB-ITEMSNB': '03', 'CB-SCORE_MERCHANT': '42' },
          },
        ],
      },
    ],
  ])('%s is in the message, and the payment is approved', async (_case, more, content) => {
    const begun = await merchant.pay(CHALLENGE, more);
    expect(lastAReq()).toMatchObject(content);
    await walk(begun.redirect, RIGHT);
    expect((await state(begun.id)).result.code).toBe(APPROVED);
  });

  it('an amount below the payment is refused by the issuer', async () => {
    const { result } = await merchant.pay(FRICTIONLESS, { 'threeDSecure.amount': '10.00' });
    expect(result.code).toBe('800.100.158');
  });

  it('a payment of the French scheme without its use case is refused', async () => {
    const before = stack.recorder.exchanges.length;
    const { result } = await merchant.pay(FRICTIONLESS, { paymentBrand: 'CARTEBANCAIRE' });
    expect(result.parameterErrors?.map(({ name }) => name)).toEqual(['threeDSecure.schemeData[CB-USECASE]']);
    expect(stack.recorder.exchanges).toHaveLength(before);
  });

  it('an exemption is in both messages', async () => {
    const answer = await merchant.pay(FRICTIONLESS, { 'threeDSecure.exemptionFlag': '02' });
    expect(lastAReq().threeDSRequestorChallengeInd).toBe('05');
    expect(answer.result.code).toBe(APPROVED);
    expect(answer.threeDSecure).toMatchObject({ authenticationStatus: 'I', exemptionFlag: '02', eci: '07' });
  });

  it('disable goes without', async () => {
    const before = stack.recorder.exchanges.length;
    const answer = await merchant.post('/v1/payments', {
      amount: '12.34',
      currency: 'EUR',
      paymentType: 'DB',
      ...card(CHALLENGE),
      'threeDSecure.disable': 'true',
    });
    expect(answer.result.code).toBe(APPROVED);
    expect(stack.recorder.exchanges).toHaveLength(before);
  });

  it.each<[string, Form, string]>([
    [
      'challenge',
      { 'customParameters[3DS2_enrolled]': 'true', 'customParameters[3DS2_flow]': 'challenge' },
      'C',
    ],
    ['frictionless', { 'customParameters[3DS2_enrolled]': 'true' }, 'Y'],
  ])('a test forces %s, whatever the card', async (_flow, more, status) => {
    const begun = await merchant.pay('4200000000000000', more);
    expect(stack.recorder.of('AReq').at(-1)?.answer.transStatus).toBe(status);
    if (status === 'C') await walk(begun.redirect, RIGHT);
    expect((await state(begun.id)).result.code).toBe(APPROVED);
  });
});

describe('without the browser', () => {
  const { shopperResultUrl: _, ...rest } = BROWSER;
  const WITHOUT = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !name.startsWith('customer.browser.')),
  );
  const send = (number: string, more: Form) => {
    const { amount, currency, paymentType } = PAYMENT;
    return merchant.post('/v1/payments', {
      amount,
      currency,
      paymentType,
      ...WITHOUT,
      ...card(number),
      ...more,
    } as Form);
  };

  it('the merchant alone authenticates a card that needs no challenge', async () => {
    const alone = { 'threeDSecure.threeRIInd': 'RECURRING', 'threeDSecure.channel': '3' };
    const answer = await send(FRICTIONLESS, alone);
    expect(lastAReq()).toMatchObject({ deviceChannel: '03', threeRIInd: '01' });
    expect([answer.result.code, answer.threeDSecure?.authenticationStatus]).toEqual([APPROVED, 'Y']);
    expect((await send(CHALLENGE, alone)).result.code).toBe('100.390.121');
  });

  it('the cardholder answers elsewhere', async () => {
    for (const [number, code] of [
      [CHALLENGE, APPROVED],
      ['4200000000000075', '100.390.122'],
    ] as const) {
      const begun = await merchant.pay(number, { 'threeDSecure.decoupled': 'true' });
      expect(begun.result.code).toBe('000.200.000');
      expect(begun.redirect).toBeUndefined();
      expect((await ended(`/v1/payments/${begun.id}`)).result.code).toBe(code);
    }
  });

  it('an app is authenticated without a challenge, and its request states that there is no native one', async () => {
    const deviceInfo = JSON.stringify({
      sdkAppID: '7a6a1c5e-3b3a-4d1c-9d7e-0f5c6a1b2c3d',
      deviceData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d',
      sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'a'.repeat(43), y: 'b'.repeat(43) },
      sdkReferenceNumber: 'SDK',
      sdkTransID: '1b4f0b7e-2c1d-4b8e-8a54-97e2b3c4d5e6',
    });
    const app = { 'threeDSecure.deviceInfo': deviceInfo };
    expect((await send(FRICTIONLESS, app)).result.code).toBe(APPROVED);
    expect(lastAReq()).toMatchObject({
      deviceChannel: '01',
      sdkEncData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d',
    });
    expect((await send(CHALLENGE, app)).result.code).toBe('000.400.105');
    const wrong = await send(FRICTIONLESS, { 'threeDSecure.deviceInfo': 'x' });
    expect(wrong.result.parameterErrors?.map(({ name }) => name)).toEqual(['threeDSecure.deviceInfo']);
  });
});

describe('an authentication on its own', () => {
  const { paymentType: _, ...form } = PAYMENT;
  const authenticate = (number: string, more: Form = {}) =>
    merchant.post('/v1/threeDSecure', { ...form, ...card(number), ...more } as Form);

  it('without a challenge proves one payment of at most its amount, with its card', async () => {
    const { status, id, result, threeDSecure = {} } = await authenticate(FRICTIONLESS);
    expect([status, result.code]).toEqual([200, '000.400.110']);
    expect(threeDSecure).toMatchObject({
      authenticationStatus: 'Y',
      eci: '05',
      version: '2.2.0',
      flow: 'frictionless',
    });
    expect((await merchant.get(`/v1/threeDSecure/${id}`)).threeDSecure).toEqual(threeDSecure);
    const proof = {
      'threeDSecure.eci': threeDSecure.eci,
      'threeDSecure.verificationId': threeDSecure.verificationId,
      'threeDSecure.dsTransactionId': threeDSecure.dsTransactionId,
      'threeDSecure.version': threeDSecure.version,
    } as Form;
    const pay = (more: Form, number = FRICTIONLESS) =>
      merchant.post('/v1/payments', {
        amount: '12.34',
        currency: 'EUR',
        paymentType: 'DB',
        ...card(number),
        ...proof,
        ...more,
      });
    for (const [more, number, code] of [
      [{ amount: '12.35' }, FRICTIONLESS, '100.390.101'],
      [{ currency: 'USD' }, FRICTIONLESS, '100.390.101'],
      [{}, '4200000000000059', '800.100.158'],
      [{ 'threeDSecure.eci': '06' }, FRICTIONLESS, '100.390.117'],
      [{ 'threeDSecure.authenticationStatus': 'N' }, FRICTIONLESS, '100.390.109'],
      // Without its value it is no proof: the cardholder is to be authenticated.
      [{ 'threeDSecure.verificationId': '' }, FRICTIONLESS, '200.300.404'],
    ] as const)
      expect((await pay(more, number)).result.code, JSON.stringify(more)).toBe(code);
    const paid = await Promise.all(Array.from({ length: 16 }, () => pay({ amount: '12.33' })));
    expect(paid.map((each) => each.result.code).sort()).toEqual([APPROVED, ...Array(15).fill('800.400.200')]);
    const wrong = await pay({ 'threeDSecure.verificationId': 'short' });
    expect(wrong.result.parameterErrors?.map(({ name }) => name)).toEqual(['threeDSecure.verificationId']);
  });

  it.each([METHOD_CHALLENGE, CHALLENGE])('of %s walks through a challenge', async (number) => {
    const begun = await authenticate(number);
    expect([begun.status, begun.result.code]).toEqual([200, '000.200.000']);
    const { end } = await walk(begun.redirect, RIGHT);
    expect(new URL(end).searchParams.get('id')).toBe(begun.id);
    expect(new URL(end).searchParams.get('resourcePath')).toBe(`/v1/threeDSecure/${begun.id}`);
    const { result, threeDSecure = {} } = await merchant.get(`/v1/threeDSecure/${begun.id}`);
    expect(result.code).toBe(APPROVED);
    expect(threeDSecure).toMatchObject({ authenticationStatus: 'Y', flow: 'challenge', eci: '05' });
    expect(threeDSecure.verificationId).toHaveLength(28);
  });

  it('is refused with the code of its course', async () => {
    for (const [number, code] of [
      ['4012001037141112', '100.380.401'],
      ['4200000000000000', '000.400.109'],
      ['4200000000000001', '100.100.101'],
    ] as const) {
      const { status, result } = await authenticate(number);
      expect([status, result.code]).toEqual([400, code]);
    }
    const { resultDetails } = await authenticate('4200000000000001');
    expect(resultDetails?.ExtendedDescription).toMatch(/^card\.number: /);
  });

  it('without a payment names no amount', async () => {
    const { amount: __, currency: ___, ...free } = form;
    const answer = await merchant.post('/v1/threeDSecure', {
      ...free,
      ...card(FRICTIONLESS),
      'threeDSecure.npa': 'true',
    });
    expect(answer.result.code).toBe('000.400.110');
    expect(lastAReq()).toMatchObject({ messageCategory: '02', threeDSRequestorAuthenticationInd: '04' });
    const refused = await merchant.post('/v1/threeDSecure', {
      ...free,
      ...card('4012001037141112'),
      'threeDSecure.npa': 'true',
    });
    expect(refused.result.code).toBe('100.390.120');
  });

  it('is found by its merchant alone', async () => {
    expect((await merchant.get(`/v1/threeDSecure/${'0'.repeat(32)}`)).status).toBe(404);
    const { entityId } = stack.seed.merchant;
    const { id } = await authenticate(FRICTIONLESS);
    expect((await merchant.get(`/v1/threeDSecure/${id}?entityId=${entityId}`)).status).toBe(404);
    const off = await merchant.post('/v1/threeDSecure', { ...form, ...card(FRICTIONLESS), entityId } as Form);
    expect(off.result.code).toBe('000.400.104');
  });
});
