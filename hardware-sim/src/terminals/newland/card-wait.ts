import { PRESENT_CARD, UI_EVENTS } from '@tillbridge/wire/terminals/newland/callbacks.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { allowsMagstripe, KernelError } from '../../kernel/kernel-error.js';
import { namesChip } from '../core/card-account.js';
import {
  type CardRead,
  MagstripeUnreadable,
  type PaymentCore,
  TwoCardsInField,
} from '../core/payment-core.js';
import type { Presentation, TerminalUi } from '../core/terminal-ui.js';
import { L3Error } from './l3-error.js';
import type { SaleRequest } from './transaction-request.js';

/** What reading a card works with. */
interface CardWaitDeps {
  readonly ui: TerminalUi;
  readonly core: PaymentCore;
  /** Sends a UI event, if the host requested them. */
  readonly event: (event: number, data: number) => void;
  /** Runs the wait that the host may end by `+++CANCEL`. @throws L3Error cancel */
  readonly cancellable: <T>(signal: AbortSignal, wait: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

/** A card that was read, and how it came. */
export interface ReadCard {
  readonly presentation: Presentation;
  readonly read: CardRead;
}

interface Ask {
  readonly accept: ReadonlySet<PresentMode>;
  readonly how: number;
  readonly rows: readonly string[];
}

/** Prompts for a card before the device gives up. */
const MAX_PROMPTS = 6;
/** First byte of the event `processing`. */
const PROCESSING = { swipe: 0, manual: 0, insert: 1, tap: 2 } as const;

/** What the pad prompts for by the ways that it takes: swipe 1, insert 2, tap 4 as the index. */
const HOW: readonly number[] = [
  PRESENT_CARD.keyIn,
  PRESENT_CARD.magstripe,
  PRESENT_CARD.insert,
  PRESENT_CARD.magstripeInsert,
  PRESENT_CARD.tap,
  PRESENT_CARD.magstripeTap,
  PRESENT_CARD.insertTap,
  PRESENT_CARD.magstripeInsertTap,
];

function howOf(accept: ReadonlySet<PresentMode>): number {
  const at = (accept.has('swipe') ? 1 : 0) + (accept.has('insert') ? 2 : 0) + (accept.has('tap') ? 4 : 0);
  if (at === HOW.length - 1 && accept.has('manual')) return PRESENT_CARD.magstripeInsertTapManual;
  return HOW[at] ?? PRESENT_CARD.keyIn;
}

/**
 * Prompts for a card until one was read that a transaction can go on with: again after two taps at once, by chip where a chip
 * card was swiped, by magstripe where the chip could not be read.
 * @throws L3Error; KernelError, CardCommunicationError, WaitAborted
 */
export async function readCard(
  deps: CardWaitDeps,
  request: SaleRequest,
  signal: AbortSignal,
): Promise<ReadCard> {
  let ask: Ask = { accept: request.ways, how: howOf(request.ways), rows: ['PRESENT CARD'] };
  for (let attempts = 0; attempts < MAX_PROMPTS; attempts += 1) {
    const presentation = await waitForCard(deps, ask, request.timeoutMs, signal);
    deps.event(UI_EVENTS.processing, PROCESSING[presentation.how]);
    deps.ui.show(['PROCESSING']);
    try {
      const read = await deps.core.read(presentation, request.sale);
      signal.throwIfAborted();
      if (!swipedChip(read)) return { presentation, read };
      ask = without(ask, 'swipe', PRESENT_CARD.useChip, 'USE THE CHIP');
    } catch (error) {
      signal.throwIfAborted();
      ask = await nextAsk(deps, { ask, ways: request.ways, presentation }, error, signal);
    }
  }
  throw new L3Error('tryAgain');
}

async function waitForCard(
  { ui, core, event, cancellable }: CardWaitDeps,
  { accept, how, rows }: Ask,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Presentation> {
  ui.show(rows);
  event(UI_EVENTS.presentCard, how);
  const given = await cancellable(signal, (both) => core.awaitCard(accept, timeoutMs, both));
  if (given === 'timeout') throw new L3Error('timeout');
  if (given === 'cancel-key') throw new L3Error('cancel');
  return given;
}

function swipedChip(read: CardRead): boolean {
  return read.kind === 'magstripe' && !read.fallback && namesChip(read.account);
}

function without(ask: Ask, way: PresentMode, how: number, row: string): Ask {
  const accept = new Set([...ask.accept].filter((each) => each !== way));
  if (accept.size === 0) throw new L3Error('swipeChip');
  return { accept, how, rows: [row] };
}

interface Failure {
  readonly ask: Ask;
  /** All that the host allows. */
  readonly ways: ReadonlySet<PresentMode>;
  readonly presentation: Presentation;
}

/** What to ask for after a card that could not be read. @throws what ends the transaction */
async function nextAsk(
  { ui, cancellable }: CardWaitDeps,
  { ask, ways, presentation: { how } }: Failure,
  error: unknown,
  signal: AbortSignal,
): Promise<Ask> {
  if (error instanceof TwoCardsInField) {
    return { ...ask, how: PRESENT_CARD.presentAgain, rows: ['ONE CARD ONLY'] };
  }
  if (error instanceof MagstripeUnreadable) {
    return { ...ask, how: PRESENT_CARD.presentAgain, rows: ['SWIPE AGAIN'] };
  }
  if (how === 'tap' && (error instanceof KernelError || error instanceof CardCommunicationError)) {
    return without(ask, 'tap', PRESENT_CARD.tryAnother, 'INSERT OR SWIPE CARD');
  }
  if (how === 'insert' && ways.has('swipe') && chipUnreadable(error, ui)) {
    ui.show(['REMOVE CARD']);
    await cancellable(signal, (both) => ui.waitForRemoval(both));
    return { accept: new Set(['swipe']), how: PRESENT_CARD.fallbackToMagstripe, rows: ['SWIPE CARD'] };
  }
  throw error;
}

/** Whether the magstripe may be used instead (EMV Book 4 §6.3.1); a card that was pulled out is another matter. */
function chipUnreadable(error: unknown, { inserted }: TerminalUi): boolean {
  if (error instanceof CardCommunicationError) return inserted !== undefined;
  return allowsMagstripe(error);
}
