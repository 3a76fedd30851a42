import { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import type { VirtualCard } from '@tillbridge/hardware-sim/cards/core/card.js';
import { memorySlot, type StateSlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import { AutoCardholder } from '@tillbridge/hardware-sim/terminals/core/auto-cardholder.js';
import type { StoredTables } from '@tillbridge/hardware-sim/terminals/gertec/emv-tables.js';
import { Ppc930 } from '@tillbridge/hardware-sim/terminals/gertec/ppc930.js';
import type { LineFaultRates } from '../kernel/fault-rates.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import type { ReplayedCards } from './replaying-driver.js';
import { SerialLine } from './serial-line.js';

/** Cards of the customers, each as likely as its number. */
const WALLET = {
  'visa-credit-online': 24,
  'visa-contactless': 16,
  'maestro-offline-approved': 20,
  'mastercard-debit-pin': 8,
  'magstripe-only': 22,
  'mastercard-declined': 4,
  'visa-bad-arpc': 5,
  'visa-online-only': 8,
  'visa-offline-declined': 2,
  'maestro-declined-later': 4,
  'visa-tap-declined': 2,
  'visa-phone': 3,
  'visa-partial': 4,
  'visa-referral': 5,
  'chip-broken-fallback': 2,
  'visa-expired': 1,
  none: 2,
} as const;

/** All cards of a simulation: every customer everywhere has the same few, and each card its own counter. */
export class Wallet extends CardBox {
  readonly #random: SeededRandom;
  readonly #watch: (card: VirtualCard) => VirtualCard;

  /** @param watch what a terminal gets in the place of a card */
  constructor(random: SeededRandom, watch: (card: VirtualCard) => VirtualCard = (card) => card) {
    const slots = new Map<string, StateSlot<never>>();
    super((name) => {
      const slot = slots.get(name) ?? memorySlot<never>();
      slots.set(name, slot);
      return slot;
    });
    this.#random = random;
    this.#watch = watch;
  }

  /** The next customer's card; now and then there is no customer. */
  override take(_name: string): ReturnType<CardBox['take']> {
    const name = this.#random.weighted(WALLET);
    const taken = name === 'none' ? undefined : super.take(name);
    return taken && { ...taken, card: this.#watch(taken.card) };
  }
}

/** What a terminal of a simulation needs. */
interface SimulatedTerminalsDeps extends SimulationDeps {
  readonly id: string;
  /** Distinguishes its keys from those of the others: 0 to 4,095. */
  readonly number: number;
  readonly wallet: Wallet;
  readonly faultRates: () => LineFaultRates;
  /** The EMV tables that it has. */
  readonly tableSlot: StateSlot<StoredTables>;
  /** The terminal was tampered with. */
  readonly replayedCards?: ReplayedCards;
  readonly onFault: (error: unknown) => void;
}

/** A simulated terminal with its cardholders, at the end of a cable. */
export interface SimulatedTerminals {
  readonly id: string;
  readonly device: Ppc930;
  readonly line: SerialLine;
  readonly replayedCards?: ReplayedCards;
}

/** Sets up a terminal; it runs until the end of the simulation. */
export function openSimulatedTerminals(deps: SimulatedTerminalsDeps): SimulatedTerminals {
  const { id, number, clock, random, wallet, faultRates, onFault } = deps;
  const device = new Ppc930({
    id,
    serial: serialOf(number),
    clock,
    random: random.branch('device'),
    presentAheadMs: 10_000,
    transport: 'serial',
    ksnPin: Buffer.from(pinKsnOf(number), 'hex'),
    ksnData: Buffer.from(accountKsnOf(number), 'hex'),
    pinKeyIndex: 1,
    dataKeyIndex: 1,
    slot: <T>(name: string) => (name === 'tables' ? (deps.tableSlot as StateSlot<T>) : memorySlot<T>()),
    onFault,
  });
  const hands = random.branch('hands');
  new AutoCardholder(device.ui, {
    clock,
    box: wallet,
    defaultCard: 'any',
    get delayMs() {
      return hands.chance(0.03) ? hands.whole(5_000, 40_000) : hands.whole(20, 700);
    },
  });
  const line = new SerialLine({
    clock,
    random: random.branch('cable'),
    faultRates,
    attach: (far) => device.attach(far),
  });
  const { replayedCards } = deps;
  return { id, device, line, ...(replayedCards && { replayedCards }) };
}

/** Serial of the device of a number. */
export const serialOf = (number: number): string => String(number).padStart(16, '0');

/** Initial KSN of the key of its account data, in hex. */
export const accountKsnOf = (number: number): string => initialKsn('FFFF9877', number);

/** Initial KSN of its PIN key, in hex. */
export const pinKsnOf = (number: number): string => initialKsn('FFFF9876', number);

/** Key set and device number with a counter of zero (X9.24-1). */
function initialKsn(keySet: string, number: number): string {
  return `${keySet}${number.toString(16).padStart(6, '0')}000000`.toUpperCase();
}
