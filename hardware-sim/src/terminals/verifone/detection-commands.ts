import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { DETECTION_UNIT_MS, TIME_TIMES_TEN } from '@tillbridge/wire/terminals/verifone/commands.js';
import { TAGS, TECHNOLOGY } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { WaitAborted } from '../core/interruptible.js';
import { MagstripeUnreadable, NO_SALE } from '../core/payment-core.js';
import type { Presentation } from '../core/terminal-ui.js';
import type { DeviceContext, Handler, HandlerAnswer, HandlerInput } from './device-context.js';
import { detectedObjects } from './emv-output.js';
import { StatusError } from './status-error.js';
import { isSet } from './transaction-inputs.js';

const MODES: Readonly<Record<keyof typeof TECHNOLOGY, PresentMode>> = {
  chip: 'insert',
  magstripe: 'swipe',
  tap: 'tap',
  manual: 'manual',
};
const WAYS = Object.entries(TECHNOLOGY) as (readonly [keyof typeof TECHNOLOGY, number])[];
/** P2 and DFA01B that together mean the longest time. */
const LONGEST = 0xff;
const LONGEST_MS = 65_535_000;
const TIMES_TEN = 10;

/** CARD DETECTION: waits for a card in one of the ways that the host names. */
export const cardDetection: Handler = async (ctx, input) => {
  const { objects, signal } = input;
  const wanted = findTlv(objects, TAGS.technology)?.[0];
  if (!wanted) throw new StatusError('tagError');
  const ways = WAYS.filter(([, bit]) => (wanted & bit) !== 0);
  // A tap is read at once, so that CTLS SETUP must have come first.
  if ((wanted & TECHNOLOGY.tap) !== 0 && ctx.store.contactless?.phase !== 'set-up')
    throw new StatusError('logic');
  ctx.store.clear();
  const given = await wait(ctx, new Set(ways.map(([name]) => MODES[name])), input);
  ctx.flags.cancelDialog = false;
  ctx.ui.clear();
  const answer = await taken(ctx, given, signal);
  const technology = WAYS.find(([name]) => MODES[name] === given.how)?.[1] ?? 0;
  return { objects: [tlv(TAGS.technology, Buffer.of(technology)), ...(answer.objects ?? [])] };
};

async function wait(
  { core, clock, flags }: DeviceContext,
  accept: ReadonlySet<PresentMode>,
  { p2, objects, signal }: HandlerInput,
): Promise<Presentation> {
  const untilMs = clock.monotonicMs() + timeoutMs(p2, findTlv(objects, TAGS.timesTen)?.[0]);
  for (;;) {
    const leftMs = Math.max(1, untilMs - clock.monotonicMs());
    const given = await core.awaitCard(accept, leftMs, signal);
    if (given === 'timeout') throw new StatusError('timeout');
    if (given !== 'cancel-key') return given;
    if (flags.cancelDialog && isSet(objects, TAGS.stopByDialog)) throw new StatusError('cancelledByUser');
  }
}

/** Halves of a second, times ten on demand, rounded up to whole seconds. */
function timeoutMs(p2: number, flag: number | undefined): number {
  if (p2 === LONGEST && flag === LONGEST) return LONGEST_MS;
  const ms = p2 * DETECTION_UNIT_MS * (flag === TIME_TIMES_TEN ? TIMES_TEN : 1);
  return Math.ceil(ms / 1_000) * 1_000;
}

/** What the device does with a card at once: a tap is carried out, a magstripe is read, a number is keyed in. */
async function taken(ctx: DeviceContext, given: Presentation, signal: AbortSignal): Promise<HandlerAnswer> {
  if (given.how === 'insert') return {};
  if (given.how !== 'tap') return { objects: await readAccount(ctx, given) };
  const { store, core } = ctx;
  const transaction = store.contactless;
  if (transaction?.phase !== 'set-up') throw new StatusError('logic');
  try {
    const read = await core.read(given, transaction.sale);
    signal.throwIfAborted();
    store.keep(read);
    store.contactless = { phase: 'tapped', outcome: read };
  } catch (error) {
    if (signal.aborted || error instanceof WaitAborted) throw error;
    store.contactless = { phase: 'tapped', outcome: { error } };
  }
  return {};
}

/** The account objects of a magstripe or a keyed-in number; none where no account can be read. */
async function readAccount({ core, store }: DeviceContext, given: Presentation): Promise<TlvNode[]> {
  try {
    const read = await core.read(given, NO_SALE);
    store.keep(read);
    return detectedObjects(read.account);
  } catch (error) {
    if (error instanceof MagstripeUnreadable) return [];
    throw error;
  }
}

/** WAIT CARD REMOVAL: looks once where no time is given. */
export const waitCardRemoval: Handler = async ({ ui, clock }, { objects, signal }) => {
  const time = findTlv(objects, TAGS.timeoutSeconds);
  const seconds = time ? Number.parseInt(Buffer.from(time).toString('hex') || '0', 16) : 0;
  if (!ui.inserted) return {};
  if (seconds === 0) throw new StatusError('timeout');
  const late = new AbortController();
  const timer = clock.setTimer(seconds * 1_000, () => late.abort());
  try {
    await ui.waitForRemoval(AbortSignal.any([signal, late.signal]));
    ui.setState('idle');
    return {};
  } catch (error) {
    if (late.signal.aborted && !signal.aborted) throw new StatusError('timeout');
    throw error;
  } finally {
    timer.cancel();
  }
};
