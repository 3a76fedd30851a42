import { afterAll, beforeAll, expect, it } from 'vitest';
import { Merchant, SHOP } from './merchant.js';
import { walk } from './shopper.js';
import { startThreeDSecureStack, type ThreeDSecureStack } from './three-d-secure-stack.js';

const APPROVED = '000.100.110';
const POLL_INTERVAL_MS = 100;
const METHOD_CHALLENGE = '4200000000000042';

let stack: ThreeDSecureStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await startThreeDSecureStack('three-d-secure-kill');
  merchant = new Merchant(stack);
});
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

/** `kill -9` once, when `isDue` is true. */
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

/** Where the gateway may end between the result and the acquirer's answer. */
const FENCEABLE: readonly string[] = ['step challenge-ended', 'after RReq'];

/** The code of the payment, once its outcome is known. */
async function codeOf(id: string): Promise<string> {
  for (;;) {
    const { code } = (await merchant.get(`/v1/payments/${id}`)).result;
    if (!code.startsWith('000.200.')) return code;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

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
    const code = await codeOf(begun.id);
    // Once the result is there the authorization may be on its way: one whose answer is lost is reversed, as that of any other payment.
    if (!FENCEABLE.includes(`${kind} ${what}`)) expect(code).toBe(APPROVED);
    const standing = (await transactions(amount)).filter(
      (each) => each.kind === 'authorization' && each.approved && !each.reversed,
    );
    expect(standing).toHaveLength(code === APPROVED ? 1 : 0);
  },
);
