import { afterAll, beforeAll, expect, it } from 'vitest';
import { Merchant, SHOP } from './merchant.js';
import { walk } from './shopper.js';
import { startThreedsStack, type ThreedsStack } from './threeds-stack.js';

const METHOD_CHALLENGE = '4200000000000042';
/** Starting a gateway takes seconds on a busy machine. */
const CASE_TIMEOUT_MS = 180_000;

let stack: ThreedsStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await startThreedsStack('threeds-kill');
  merchant = new Merchant(stack);
}, 120_000);
afterAll(() => stack.end());

interface Transaction {
  readonly kind: string;
  readonly amount: string;
  readonly approved: boolean;
  readonly reversed: boolean;
}

/** What the acquirer has of an amount that no other payment has. */
async function transactions(amount: string): Promise<readonly Transaction[]> {
  const headers = { authorization: `Bearer ${stack.seed.simulatorToken}` };
  const answer = await fetch(`${stack.url}/v1/simulator/transactions`, { headers });
  return ((await answer.json()) as readonly Transaction[]).filter((each) => each.amount === amount);
}

/** `kill -9` once, when `isDue` says so. */
function once(isDue: (what: string) => boolean): (what: string) => Promise<void> {
  let killed = false;
  return async (what) => {
    if (killed || !isDue(what)) return;
    killed = true;
    await stack.killGateway();
  };
}

/** Where a gateway ends: at a step of the shopper, before a message is passed on, or before its answer is passed back. */
const PLACES = [
  ...['method', 'method-ended', 'challenge', 'challenge-ended'].map((step) => ['step', step] as const),
  ['before', 'AReq'],
  ['after', 'AReq'],
  ['before', 'RReq'],
  ['after', 'RReq'],
] as const;

it.each(PLACES.map((place, at) => [...place, `77.0${at}`] as const))(
  'a gateway that is killed at %s %s goes on, and the money moves once',
  async (kind, what, amount) => {
    const kill = once((each) => each === `${kind} ${what}`);
    stack.recorder.before = ({ messageType }) => kill(`before ${messageType}`);
    stack.recorder.after = ({ request }) => kill(`after ${request.messageType}`);
    const begun = await merchant.pay(METHOD_CHALLENGE, { amount });
    expect(begun.result.code).toBe('000.200.000');
    const killed = stack.gateway.pid;
    await walk(begun.redirect, {
      code: '1234',
      shop: SHOP,
      reloads: true,
      onStep: (step) => kill(`step ${step}`),
    });
    expect(stack.gateway.pid).not.toBe(killed);
    expect((await merchant.get(`/v1/payments/${begun.id}`)).result.code).toBe('000.100.110');
    expect(await transactions(amount)).toMatchObject([
      { kind: 'authorization', approved: true, reversed: false },
    ]);
  },
  CASE_TIMEOUT_MS,
);
