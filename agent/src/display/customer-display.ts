import { formatAmount, parseAmount } from '@tillbridge/wire/payment/money.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';

/** What the customer in front of a terminal does, waits for or learns. */
export const DISPLAY_STEPS = [
  'idle',
  'preparing',
  'present-card',
  'leave-card',
  'enter-pin',
  'waiting',
  'finding-out',
  'approved',
  'part-approved',
  'refunded',
  'declined',
  'cancelled',
  'reversing',
  'reversed',
  'not-completed',
  'ask-staff',
] as const;

/** One of {@link DISPLAY_STEPS}. */
export type DisplayStep = (typeof DISPLAY_STEPS)[number];

/** How long the end of a sale is shown before the display is idle again, in milliseconds. */
export const RESULT_SHOWN_MS = 20_000;

/** What a customer display shows: nothing of the card, of the cashier or of another sale. Amounts are decimal texts. */
export interface CustomerDisplay {
  readonly terminalId: string;
  readonly step: DisplayStep;
  readonly type?: SaleAnswer['type'];
  /** What the customer is to pay, or gets back; of a partial approval what was paid. */
  readonly amount?: string;
  readonly currency?: string;
  /** Parts of the amount. */
  readonly tip?: string;
  readonly cashBack?: string;
  /** Of a partial approval: what is still to be paid. */
  readonly rest?: string;
  /** The card may be taken out, and is still in. */
  readonly removeCard?: true;
  /** How much longer it is shown, in milliseconds; then the display is idle. Absent: until something changes. */
  readonly shownForMs?: number;
}

/** What is known of a terminal's last sale. */
export interface ShownSale {
  readonly sale: SaleAnswer;
  /** The last step that the terminal has reported for it. */
  readonly progress?: string;
  /** It has ended, and the terminal still has the card. */
  readonly isCardIn?: boolean;
  /** When it ended, monotonic milliseconds. */
  readonly endedAtMs?: number;
}

const BY_PROGRESS: Readonly<Record<string, DisplayStep>> = {
  'waiting-for-card': 'present-card',
  'reading-card': 'leave-card',
  'pin-entry': 'enter-pin',
};

/** What a display shows of a sale. `nowMs`: monotonic. Pure. */
export function displayOf(terminalId: string, shown: ShownSale | undefined, nowMs: number): CustomerDisplay {
  const idle = { terminalId, step: 'idle' } as const;
  if (!shown) return idle;
  const { sale, progress, isCardIn, endedAtMs } = shown;
  const shownForMs = endedAtMs === undefined ? undefined : endedAtMs + RESULT_SHOWN_MS - nowMs;
  if (shownForMs !== undefined && shownForMs <= 0) return idle;
  const step = stepOf(shown);
  return {
    ...{ terminalId, step, type: sale.type, currency: sale.currency },
    ...amountsOf(sale),
    ...((progress === 'remove-card' || isCardIn) && { removeCard: true }),
    ...(shownForMs !== undefined && { shownForMs }),
  };
}

/** Whether a sale has its true end, or waits for staff: then the customer is not waited for. */
export function isOver({ state }: SaleAnswer): boolean {
  return state === 'done' || state === 'parked';
}

function stepOf({ sale, progress }: ShownSale): DisplayStep {
  switch (sale.state) {
    case 'accepted':
    case 'reading-card':
      return BY_PROGRESS[progress ?? ''] ?? 'preparing';
    case 'authorizing':
    case 'completing':
      // Some terminals ask for the PIN after the request for a decision has begun.
      return progress === 'pin-entry' && sale.state === 'authorizing' ? 'enter-pin' : 'waiting';
    case 'unknown':
      return 'finding-out';
    case 'reversing':
      return 'reversing';
    case 'parked':
      return 'ask-staff';
    case 'done':
      return endOf(sale);
  }
}

function endOf({ outcome, type, approvedAmount, lateDecline }: SaleAnswer): DisplayStep {
  if (lateDecline) return 'ask-staff';
  switch (outcome) {
    case 'approved':
      if (type === 'refund') return 'refunded';
      return approvedAmount === undefined ? 'approved' : 'part-approved';
    case 'declined':
    case 'cancelled':
    case 'reversed':
      return outcome;
    default:
      return 'not-completed';
  }
}

function amountsOf(sale: SaleAnswer): Partial<CustomerDisplay> {
  const { amount, tip, cashBack, approvedAmount, currency } = sale;
  if (approvedAmount === undefined)
    return { amount, ...(tip !== undefined && { tip }), ...(cashBack !== undefined && { cashBack }) };
  const minorOf = (text: string) => parseAmount(text, currency).minor;
  const minor = minorOf(amount) - minorOf(approvedAmount);
  return { amount: approvedAmount, rest: formatAmount({ minor, currency }) };
}
