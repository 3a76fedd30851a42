import { MAX_FAULTS } from '@tillbridge/hardware-sim/faults/scheduled-fault.js';
import { HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { until } from '../clients/http.js';
import { HOST_CARD } from './compare.js';
import type { ExternalSystem } from './external-system.js';

/** Merchants that pay at the same time. */
const MERCHANTS = 16;
/** One message in so many meets a fault: 5 %. */
const FAULT_EVERY = 20;
/** Messages that a set of faults is for. */
const ROUND = FAULT_EVERY * MAX_FAULTS;
/** How late a late answer comes, in milliseconds: after its reversal. */
const LATE_MS = 3_000;
const SETTLE_MS = 60_000;

/** What a merchant does, one after the other. */
const TURNS = [
  { first: 'DB', next: undefined },
  { first: 'DB', next: 'RF' },
  { first: 'PA', next: 'CP' },
  { first: 'DB', next: 'RV' },
  { first: 'PA.CP', next: undefined },
] as const;

/** What the load was answered. */
interface LoadReport {
  /** Requests by result code. */
  readonly codes: ReadonlyMap<string, number>;
  /** Requests whose answer was lost with a process. */
  readonly lost: number;
}

/**
 * Pays, captures, refunds and reverses, so many requests in all.
 * @param faults whether one message in twenty meets a fault of the host
 */
export async function load(
  system: ExternalSystem,
  requests: number,
  faults: 'faults' | 'no faults',
): Promise<LoadReport> {
  const codes = new Map<string, number>();
  let [begun, lost, struck] = [0, 0, 0];
  const strike = async (): Promise<void> => {
    if (faults === 'no faults' || begun < struck) return;
    struck += ROUND;
    const names = Array.from(
      { length: MAX_FAULTS },
      (_, i) => HOST_FAULT_NAMES[i % HOST_FAULT_NAMES.length] ?? 'silent',
    );
    // Those that wait count every message: each begins after the one before it.
    await system.host.strike(
      names.map((name, i) => ({ name, skip: FAULT_EVERY * (i + 1) - 1, delayMs: LATE_MS })),
    );
  };
  const counted = async (work: Promise<{ body: { id?: string; result: { code: string } } }>) => {
    begun += 1;
    const answer = await work.catch(() => undefined);
    if (!answer) {
      lost += 1;
      await system.isUp();
      return undefined;
    }
    const { code } = answer.body.result;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    return code.startsWith('000.100') ? answer.body.id : undefined;
  };
  const merchant = async (number: number): Promise<void> => {
    for (let turn = number; begun < requests; turn += 1) {
      await strike().catch(() => undefined);
      const { first, next } = TURNS[turn % TURNS.length] ?? TURNS[0];
      const amount = `${10 + (turn % 7)}.00`;
      const id = await counted(system.client.pay({ ...HOST_CARD, amount, paymentType: first }));
      if (id === undefined || next === undefined) continue;
      const sum = next === 'RV' ? {} : { amount: '5.00', currency: 'EUR' };
      await counted(system.client.followUp(id, { paymentType: next, ...sum }));
    }
  };
  await Promise.all(Array.from({ length: MERCHANTS }, (_, number) => merchant(number)));
  await until('no faults', SETTLE_MS, async () => {
    await system.host.strike([]);
    return true;
  });
  return { codes, lost };
}
