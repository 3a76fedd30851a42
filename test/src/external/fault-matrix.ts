import {
  HOST_FAULT_NAMES,
  type HostFaultName,
} from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { until } from '../clients/http.js';
import { untilPaid } from './compare.js';
import type { ExternalSystem } from './external-system.js';
import { type Prepared, STEP_MS, STEPS, type Step, type StepName } from './steps.js';

/** What the first blow is about, in minor units; each further one is about one more. */
const FIRST_MINOR = 500;

/** What is killed. */
export const SIDES = ['gateway', 'acquirerHost'] as const;

/** A fault at a step, and the side that is killed with it. */
export interface Blow {
  readonly fault: HostFaultName;
  readonly step: StepName;
  readonly side: (typeof SIDES)[number];
}

/** Every fault at every step with a kill of either side. */
export const ALL_BLOWS: readonly Blow[] = SIDES.flatMap((side) =>
  (Object.keys(STEPS) as StepName[]).flatMap((step) =>
    HOST_FAULT_NAMES.map((fault) => ({ fault, step, side })),
  ),
);

/** A sale at a till and its amount. */
type SaleAtTill = NonNullable<Prepared['sale']> & { readonly amount: string };

/**
 * Lets a fault strike, kills a side as soon as it has, and starts that again; one blow after the other. Gives the sales whose last answer to a till
 * differs from what stands at the host.
 */
export async function strikeBlows(
  system: ExternalSystem,
  blows: readonly Blow[],
  onBlow: (blow: Blow) => void = () => undefined,
): Promise<readonly string[]> {
  const sales: SaleAtTill[] = [];
  for (const [at, blow] of blows.entries()) {
    onBlow(blow);
    const sale = await strikeOne(system, blow, FIRST_MINOR + at);
    if (sale) sales.push(sale);
  }
  await untilPaid(system.client);
  return sales.length === 0 ? [] : wrongReports(system, sales);
}

async function strikeOne(
  system: ExternalSystem,
  { fault, step, side }: Blow,
  minor: number,
): Promise<SaleAtTill | undefined> {
  const { prepare, faults, isStart }: Step = STEPS[step];
  const amount = (minor / 100).toFixed(2);
  const { send, sale } = await prepare(system, amount);
  await system.host.strike(faults(fault, minor));
  // It dies with the gateway.
  const answered = send().catch(() => undefined);
  await until(`${fault} of ${step}`, STEP_MS, async () =>
    (await system.host.faults()).length === 0 ? true : undefined,
  );
  if (isStart) await answered;
  await system.restart(side);
  await answered;
  return sale && { ...sale, amount };
}

async function wrongReports(
  { tour }: ExternalSystem,
  sales: readonly SaleAtTill[],
): Promise<readonly string[]> {
  await tour.agent.untilGateway('up', STEP_MS);
  await tour.agent.untilQueueEmpty(STEP_MS);
  const found: string[] = [];
  for (const { reference, amount, stands } of sales) {
    const { outcome } = await tour.agent.untilSale(
      reference,
      'ended',
      STEP_MS,
      (sale) => sale.state === 'done' && sale.outcome !== null,
    );
    const standing = (await tour.simulator.hostTransactions()).filter(
      (row) => row.amount === amount && stands(row),
    ).length;
    if (standing !== (outcome === 'approved' ? 1 : 0))
      found.push(`${reference} of ${amount} is ${outcome}, and stands ${standing} times at the host`);
  }
  return found;
}
