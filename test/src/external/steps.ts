import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { HostFault, HostFaultName } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import type { WantedFault } from '../clients/acquirer-host-client.js';
import type { TillRequest } from '../clients/agent-client.js';
import { type HttpAnswer, until } from '../clients/http.js';
import type { HostTransaction } from '../clients/simulator-client.js';
import { stands, type TourContext } from '../tour/tour-context.js';
import { HOST_CARD, untilNothingIsOpen, untilPaid, withStore } from './compare.js';
import type { ExternalSystem } from './external-system.js';

/** Longest wait for another process. */
export const STEP_MS = 120_000;
/** How late a late answer comes, in milliseconds: after its reversal. */
const LATE_MS = 3_000;
const DOWN = { state: 'down' } as const;
const UP = { state: 'up' } as const;

/** Kind or network function of a message. */
type FaultTarget = NonNullable<HostFault['on']>;

/** A message that is about to meet a fault. */
export interface Prepared {
  /** Has it sent; resolves when the sender has its answer. */
  readonly send: () => Promise<unknown>;
  /** The sale at a till, and what of the host's record stands of it where it is approved. */
  readonly sale?: { readonly reference: string; readonly stands: (row: HostTransaction) => boolean };
}

/** A message of the link that meets a fault. */
export interface Step {
  /** Which messages meet which faults, in their order. */
  readonly faults: (name: HostFaultName, amountMinor: number) => readonly WantedFault[];
  /** What comes before it, and meets none. @param amount that no other step has */
  readonly prepare: (system: ExternalSystem, amount: string) => Promise<Prepared>;
  /** True where what has it sent is a start of the gateway, which has to end before a side can be killed. */
  readonly isStart?: true;
}

/** The message of a kind, and of the step's amount, meets the fault. */
function money(...kinds: readonly FaultTarget[]): Step['faults'] {
  return (name, amountMinor) => {
    const before = kinds.slice(0, -1).map((on) => ({ name: 'silent' as const, on, amountMinor }));
    return [...before, ...kinds.slice(-1).map((on) => ({ name, on, amountMinor, delayMs: LATE_MS }))];
  };
}

/** A message that moves no money meets the fault, behind others of its kind. */
function plain(on: FaultTarget, skip = 0): Step['faults'] {
  return (name) => [{ name, on, skip, delayMs: LATE_MS }];
}

/** A payment over REST. */
function paid(paymentType: string): Step['prepare'] {
  return async ({ client }, amount) => {
    await untilPaid(client);
    return { send: () => client.pay({ ...HOST_CARD, amount, paymentType }) };
  };
}

/** What follows a payment over REST. */
function followed(paymentType: 'PA' | 'DB', next: 'CP' | 'RF' | 'RV'): Step['prepare'] {
  return async ({ client }, amount) => {
    const id = await untilPaid(client, { paymentType, amount });
    const money = next === 'RV' ? {} : { amount, currency: HOST_CARD.currency };
    return { send: () => client.followUp(id, { paymentType: next, ...money }) };
  };
}

/** What a till requests, once store, gateway and host have found each other again. */
function atTill(
  begin: (tour: TourContext, request: TillRequest) => Promise<() => Promise<unknown>>,
  more: { readonly type?: TillRequest['type']; readonly stands?: (row: HostTransaction) => boolean } = {},
): Step['prepare'] {
  const { type, stands: isStanding = stands } = more;
  return async ({ tour, client }, amount) => {
    await untilPaid(client);
    await tour.agent.untilGateway('up', STEP_MS);
    await tour.agent.untilQueueEmpty(STEP_MS);
    await tour.begin();
    const request = tour.request(amount, type && { type });
    const send = await begin(tour, request);
    return { send, sale: { reference: request.reference, stands: isStanding } };
  };
}

/** A sale with a card, that the host authorizes. */
function sold(card: string): Step['prepare'] {
  return atTill(async (tour, request) => {
    await tour.simulator.present(tour.terminalId, card);
    return () => tour.agent.sale(request);
  });
}

/** A sale without the network, which the host gets when the network is back. */
function soldOffline(card: string, how: 'insert' | 'tap', mode: SaleAnswer['mode']): Step['prepare'] {
  return atTill(async (tour, request) => {
    await tour.simulator.network(DOWN);
    await tour.agent.untilGateway('down', STEP_MS);
    await tour.simulator.present(tour.terminalId, card, how);
    expectSale(await tour.agent.sale(request), { outcome: 'approved', mode });
    return async () => {
      await tour.simulator.network(UP);
      await tour.agent.untilGateway('up', STEP_MS);
    };
  });
}

/** What follows a sale at a till. */
function soldBefore(
  card: string,
  next: (tour: TourContext, request: TillRequest) => Promise<unknown>,
  about: Partial<SaleAnswer> = { outcome: 'approved' },
  more?: Parameters<typeof atTill>[1],
): Step['prepare'] {
  return atTill(async (tour, request) => {
    expectSale(await tour.sell(card, request).then((body) => ({ status: 200, body })), about);
    return () => next(tour, request);
  }, more);
}

function expectSale(
  { status, body }: Pick<HttpAnswer<SaleAnswer>, 'status' | 'body'>,
  about: Partial<SaleAnswer>,
) {
  const differs = Object.entries(about).some(([name, value]) => body[name as keyof SaleAnswer] !== value);
  if (status !== 200 || differs)
    throw new Error(`a sale was to be ${JSON.stringify(about)}: ${status} ${JSON.stringify(body)}`);
}

/** The gateway requests new keys when it starts. */
const requestsKeys: Step['prepare'] = async (system) => {
  await untilPaid(system.client);
  await withStore(system.database, async (store) => {
    const [row] = await store.findAfter('linkKeys', undefined);
    if (row)
      await store.commit([{ op: 'delete', table: 'linkKeys', key: [row.acquirer], version: row.version }]);
  });
  return { send: () => system.restart('gateway') };
};

/** The host begins a new settlement day, of which the gateway compares the totals as soon as nothing of it is open. */
const endsTheDay: Step['prepare'] = async ({ client, database, host }) => {
  await untilPaid(client);
  await untilNothingIsOpen(database);
  return { send: () => host.cutOver() };
};

const holds = (wanted: HostTransaction['kind']) => (row: HostTransaction) =>
  row.kind === wanted && row.approved && !row.reversed;

/** Every message of the link: of merchants, of tills, and of the line itself. */
export const STEPS = {
  sale: { prepare: paid('DB'), faults: money('financial') },
  authorization: { prepare: paid('PA'), faults: money('authorization') },
  'sale in two steps': { prepare: paid('PA.CP'), faults: money('authorization') },
  'capture of a sale in two steps': { prepare: paid('PA.CP'), faults: money('financial') },
  credit: { prepare: paid('CD'), faults: money('financial') },
  capture: { prepare: followed('PA', 'CP'), faults: money('financial') },
  refund: { prepare: followed('DB', 'RF'), faults: money('financial') },
  reversal: { prepare: followed('DB', 'RV'), faults: money('reversal') },
  'reversal of an unknown sale': { prepare: paid('DB'), faults: money('financial', 'reversal') },
  'sale at a till, with a PIN': { prepare: sold('mastercard-debit-pin'), faults: money('financial') },
  'reversal of a sale that the card refused': { prepare: sold('visa-bad-arpc'), faults: money('reversal') },
  'advice of an offline sale': {
    prepare: soldOffline('maestro-offline-approved', 'insert', 'offline-card'),
    faults: money('financial'),
  },
  'deferred authorization': {
    prepare: soldOffline('visa-contactless', 'tap', 'offline-deferred'),
    faults: money('financial'),
  },
  'advice of a sale that the issuer approved on the phone': {
    prepare: soldBefore(
      'visa-referral',
      ({ agent }, { reference }) => agent.approveByVoice(reference, 'AB12'),
      {},
    ),
    faults: money('financial'),
  },
  'capture at a till': {
    prepare: soldBefore(
      'visa-credit-online',
      ({ agent }, { reference, amount }) => agent.capture(reference, amount),
      { outcome: 'approved' },
      { type: 'preauthorization', stands: holds('capture') },
    ),
    faults: money('financial'),
  },
  'refund at a till': {
    prepare: async (system, amount) => {
      const { sale } = await soldBefore('visa-credit-online', async () => undefined)(system, amount);
      const { tour } = system;
      const originalReference = sale?.reference ?? '';
      const request = tour.request(amount, { type: 'refund', originalReference });
      return {
        send: () => tour.agent.sale(request),
        sale: { reference: request.reference, stands: holds('refund') },
      };
    },
    faults: money('financial'),
  },
  'reversal at a till': {
    prepare: soldBefore('visa-credit-online', ({ agent }, { reference }) => agent.reverse(reference)),
    faults: money('reversal'),
  },
  'sign-on': {
    prepare: async (system, amount) => {
      await system.restart('acquirerHost');
      // Until then there may be a line, or the link tries none for a moment.
      const send = () =>
        until('a sign-on', STEP_MS, async () => {
          await system.client.pay({ ...HOST_CARD, amount, paymentType: 'DB' });
          return (await system.host.faults()).length === 0 ? true : undefined;
        });
      return { send };
    },
    faults: plain('sign-on'),
  },
  echo: {
    prepare: async ({ client }) => {
      await untilPaid(client);
      return { send: async () => undefined };
    },
    faults: plain('echo'),
  },
  'exchange of the key for codes': {
    prepare: requestsKeys,
    faults: plain('key-exchange'),
    isStart: true,
  },
  'exchange of the key for PINs': {
    prepare: requestsKeys,
    faults: plain('key-exchange', 1),
    isStart: true,
  },
  totals: { prepare: endsTheDay, faults: plain('reconciliation') },
} as const satisfies Readonly<Record<string, Step>>;

/** Name of a step. */
export type StepName = keyof typeof STEPS;
