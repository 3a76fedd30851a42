import {
  HOST_FAULT_NAMES,
  type HostFaultName,
} from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import type { WantedFault } from '../clients/acquirer-host-client.js';
import type { GatewayClient } from '../clients/gateway-client.js';
import { until } from '../clients/http.js';
import type { ExternalSystem } from './external-system.js';

const SETTLE_MS = 60_000;
/** How late a late answer comes, in milliseconds: after its reversal. */
const LATE_MS = 3_000;

/** What is asked for when a fault strikes: the payment before it, if any, and the message that meets the fault. */
const STEPS = {
  sale: { first: undefined, ask: 'DB', faults: (name) => [{ name, on: 'financial' }] },
  authorization: { first: undefined, ask: 'PA', faults: (name) => [{ name, on: 'authorization' }] },
  'sale in two steps': { first: undefined, ask: 'PA.CP', faults: (name) => [{ name, on: 'authorization' }] },
  capture: { first: 'PA', ask: 'CP', faults: (name) => [{ name, on: 'financial' }] },
  refund: { first: 'DB', ask: 'RF', faults: (name) => [{ name, on: 'financial' }] },
  reversal: { first: 'DB', ask: 'RV', faults: (name) => [{ name, on: 'reversal' }] },
  'reversal of an unknown sale': {
    first: undefined,
    ask: 'DB',
    faults: (name) => [
      { name: 'silent', on: 'financial' },
      { name, on: 'reversal' },
    ],
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly first: 'PA' | 'DB' | undefined;
      readonly ask: string;
      readonly faults: (name: HostFaultName) => readonly WantedFault[];
    }
  >
>;

/** A fault at a step, and the side that is killed with it. */
export interface Blow {
  readonly fault: HostFaultName;
  readonly step: keyof typeof STEPS;
  readonly side: 'gateway' | 'host';
}

/** Every fault at every step with a kill of either side. */
export const ALL_BLOWS: readonly Blow[] = (['gateway', 'host'] as const).flatMap((side) =>
  (Object.keys(STEPS) as Blow['step'][]).flatMap((step) =>
    HOST_FAULT_NAMES.map((fault) => ({ fault, step, side })),
  ),
);

const CARD = {
  currency: 'EUR',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

/** Lets a fault strike, kills a side as soon as it has, and starts that again; one blow after the other. */
export async function strikeBlows(
  system: ExternalSystem,
  blows: readonly Blow[],
  told: (blow: Blow) => void = () => undefined,
): Promise<void> {
  for (const blow of blows) {
    told(blow);
    await strikeOne(system, blow);
  }
  await untilPaid(system);
}

async function strikeOne(system: ExternalSystem, { fault, step, side }: Blow): Promise<void> {
  const { first, ask, faults } = STEPS[step];
  const paid = await untilPaid(system, first);
  await system.host.strike(faults(fault).map((each) => ({ ...each, delayMs: LATE_MS })));
  const amount = { amount: '5.00', currency: 'EUR' };
  const asked = first
    ? system.client.followUp(paid, { paymentType: ask, ...(ask !== 'RV' && amount) })
    : system.client.pay({ ...CARD, amount: '12.00', paymentType: ask });
  // It dies with the gateway.
  const answered = asked.catch(() => undefined);
  await until(`${fault} of ${step}`, SETTLE_MS, async () =>
    (await system.host.faults()).length === 0 ? true : undefined,
  );
  await (side === 'gateway' ? system.restartGateway() : system.restartHost());
  await answered;
}

/** Pays until the host approves; gives the id. Behind a blow the link may have no line yet; then nothing is sent at all. */
function untilPaid({ client }: ExternalSystem, paymentType: 'PA' | 'DB' = 'DB'): Promise<string> {
  return until('an approved payment', SETTLE_MS, () => approved(client, paymentType));
}

async function approved(client: GatewayClient, paymentType: 'PA' | 'DB'): Promise<string | undefined> {
  const { body } = await client.pay({ ...CARD, amount: '12.00', paymentType });
  return body.result.code.startsWith('000.100') ? body.id : undefined;
}
