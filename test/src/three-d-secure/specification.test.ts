import { AUTHENTICATION_COURSES } from '@tillbridge/wire/payment/authentication-test-cards.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Form, Merchant, SHOP } from './merchant.js';
import { walk } from './shopper.js';
import { faultsOf } from './specification-schemas.js';
import { startThreeDSecureStack, type ThreeDSecureStack } from './three-d-secure-stack.js';

let stack: ThreeDSecureStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await startThreeDSecureStack('three-d-secure-specification');
  merchant = new Merchant(stack);
});
afterAll(() => stack.end());

const decoded = (field: string): unknown => JSON.parse(Buffer.from(field, 'base64url').toString());

/** Faults of all messages that passed since. */
function faults(): readonly string[] {
  return stack.recorder.exchanges.flatMap(({ request, answer }) => [
    ...faultsOf(request),
    ...faultsOf(answer),
  ]);
}

const VARIANTS: readonly (readonly [string, Form])[] = [
  [
    '2.2.0',
    {
      'customer.browser.screenColorDepth': '24',
      'customer.ip': '127.0.0.1',
      'customer.email': 'jane@example.com',
    },
  ],
  ['2.1.0', { 'threeDSecure.version': '2.1.0', 'threeDSecure.challengeIndicator': '09' }],
];

it.each(VARIANTS)(
  'every message of version %s keeps to the specification, through every course',
  async (version, more) => {
    for (const { pans } of AUTHENTICATION_COURSES) {
      const begun = await merchant.pay(pans[0], { ...more, 'customer.browser.challengeWindow': '3' });
      if (!begun.redirect) continue;
      const { forms } = await walk(begun.redirect, { code: '1234', shop: SHOP });
      for (const { fields } of forms) {
        for (const name of ['creq', 'cres'])
          if (fields[name] !== undefined) expect(faultsOf(decoded(fields[name]))).toEqual([]);
        if (fields.threeDSMethodData !== undefined)
          expect(faultsOf(decoded(fields.threeDSMethodData), 'methodData')).toEqual([]);
      }
    }
    expect(faults()).toEqual([]);
    const types = stack.recorder.exchanges.flatMap(({ request, answer }) =>
      [request, answer].map((each) => each.messageType),
    );
    expect(new Set(types)).toEqual(new Set(['PReq', 'PRes', 'AReq', 'ARes', 'RReq', 'RRes']));
    expect(stack.recorder.of('AReq').at(-1)?.request.messageVersion).toBe(version);
  },
);

it('an error message keeps to it, too', async () => {
  const answer = await fetch(stack.recorder.url, {
    method: 'POST',
    body: JSON.stringify({ messageType: 'AReq' }),
  });
  const erro = (await answer.json()) as object;
  expect(erro).toMatchObject({ messageType: 'Erro', errorCode: '201' });
  expect(faultsOf(erro)).toEqual([]);
});

it('finds what is wrong', () => {
  const [{ request } = { request: {} }] = stack.recorder.of('AReq');
  expect(faultsOf({ ...request, acctNumber: '42' })).toEqual([expect.stringContaining('/acctNumber')]);
  expect(faultsOf({ ...request, mcc: undefined, browserTZ: undefined })).toHaveLength(2);
  expect(faultsOf({ ...request, another: 'x' })).toHaveLength(1);
});
