import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { call, until } from '../clients/http.js';
import type { NetworkState } from '../clients/simulator-client.js';
import type { TourContext } from '../tour/tour-context.js';

/** A moment of a sale at which a process is killed. */
export interface KillPoint {
  readonly name: string;
  /** Held ready before the sale; left out, the simulated cardholder takes a moment to give the terminal's own. */
  readonly card?: string;
  /** What the network does while the sale runs; it is up again once the process was started again. */
  readonly network?: NetworkState;
  /** Resolves at the moment. */
  readonly reached: (tour: TourContext, reference: string) => Promise<void>;
}

const REACH_TIMEOUT_MS = 180_000;

/** Wide enough that a request or an answer is on its way when the process dies. */
const SLOW: NetworkState = { state: 'slow', latencyMs: 800 };
const LOST: NetworkState = { state: 'up', dropAnswers: true };
const DOWN: NetworkState = { state: 'down' };

function whenSale(what: string, test: (sale: SaleAnswer) => boolean): KillPoint['reached'] {
  return async (tour, reference) => {
    await tour.agent.untilSale(reference, what, REACH_TIMEOUT_MS, test);
  };
}

/** The sale has come to `step`, or past it. */
function whenStep(step: string): KillPoint['reached'] {
  return whenSale(
    step,
    ({ state, timeline }) => state === 'done' || timeline.some((entry) => entry.step === step),
  );
}

function whenTerminal(...states: readonly string[]): KillPoint['reached'] {
  return async (tour) => {
    await until(`the terminal to be ${states.join(' or ')}`, REACH_TIMEOUT_MS, async () => {
      const url = `${tour.stack.dev.simulator.url}/terminals/${tour.terminalId}`;
      const { body } = await call<{ state: string }>('GET', url);
      return states.includes(body.state) ? true : undefined;
    });
  };
}

const atOnce: KillPoint['reached'] = async () => undefined;

/** Ten moments: from the till's request to a queue that waits for the gateway. */
export const KILL_POINTS: readonly KillPoint[] = [
  { name: 'as soon as the till has sent its request', card: 'visa-credit-online', reached: atOnce },
  {
    name: 'while the terminal waits for a card or reads it',
    // A card that was held ready before is read at once: the moment must last until the test looks.
    network: SLOW,
    reached: whenTerminal('waiting-card', 'reading', 'online'),
  },
  {
    name: 'while the PIN is entered',
    card: 'mastercard-debit-pin',
    network: SLOW,
    reached: whenTerminal('waiting-pin', 'online'),
  },
  {
    name: 'with the authorization on its way',
    card: 'visa-credit-online',
    network: SLOW,
    reached: whenStep('authorizing'),
  },
  {
    name: 'with the approval lost on its way back',
    card: 'visa-credit-online',
    network: LOST,
    reached: whenTerminal('online'),
  },
  {
    name: 'when the outcome has become unknown',
    card: 'visa-credit-online',
    network: LOST,
    reached: whenStep('unknown'),
  },
  {
    name: 'as soon as the sale is done',
    card: 'visa-credit-online',
    reached: whenSale('done', ({ state }) => state === 'done'),
  },
  {
    name: 'while a refused approval is reversed',
    card: 'visa-bad-arpc',
    network: SLOW,
    reached: whenStep('reversing'),
  },
  {
    name: 'with an offline approval in the queue',
    card: 'maestro-offline-approved',
    network: DOWN,
    reached: whenSale('approved', ({ outcome }) => outcome === 'approved'),
  },
  {
    name: 'while the queue is forwarded',
    card: 'maestro-offline-approved',
    network: DOWN,
    reached: async (tour, reference) => {
      await whenSale('approved', ({ outcome }) => outcome === 'approved')(tour, reference);
      await tour.simulator.network(SLOW);
    },
  },
];
