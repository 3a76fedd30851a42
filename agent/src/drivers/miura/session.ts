import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { PORT_CLOSED } from '../core/command-link.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { CommandHooks, MakerSession, OpenMaker } from '../core/maker-session.js';
import { andThen, problemOf, type Result } from '../core/result.js';
import { askPerson } from './ask-person.js';
import { CardWatch, SLOT_SILENT } from './card-watch.js';
import { completeChip } from './complete-sale.js';
import { ask, type MiuraDevice, openDevice, readCondition, selectCardReports, showText } from './device.js';
import { COMMAND_TIMEOUT_MS, REMOVE_CARD_MS } from './limits.js';
import { MiuraLink } from './link.js';
import { printLines } from './print-lines.js';
import { dataOf } from './replies.js';
import { startSale } from './start-sale.js';

/** An open MPI session as the driver uses it. */
function session(link: MiuraLink, clock: Clock, device: MiuraDevice, idleText: string): MakerSession {
  let running: CardWatch | undefined;
  const watching = async <T>({ progress }: CommandHooks, work: (watch: CardWatch) => Promise<T>) => {
    const watch = new CardWatch(link, clock, () => progress({ step: 'pin-entry' }));
    running = watch;
    try {
      return await work(watch);
    } finally {
      running = undefined;
      watch.close();
    }
  };
  return {
    identity: device.identity,
    start: (sale) => watching(sale.hooks, (watch) => startSale({ link, clock, device, watch, ...sale })),
    complete: async (result, { iccData }) =>
      iccData.length > 0 ? completeChip(link, result) : completeMagstripe(result),
    finish: (text, hooks) =>
      watching(
        hooks,
        async (watch) =>
          // A transaction that was not continued is still open on the device.
          problemOf(dataOf('abort', await link.abort())) ??
          (await slotEmpty(link, watch, text)) ??
          selectCardReports(link, 'nothing') ??
          showText(link, text),
      ),
    async interrupt() {
      running?.interrupt();
      if (link.blocking) await link.abort();
    },
    showText: (text) => showText(link, text),
    ask: (question, hooks) => watching(hooks, (watch) => askPerson(link, watch, question)),
    print: (lines) => printLines(link, lines),
    reset: async () => problemOf(dataOf('reset', await ask(link, 'reset'))),
    showIdle: () => showText(link, idleText),
    checkAlive: async () => problemOf(dataOf('p2peStatus', await ask(link, 'p2peStatus'))),
    condition: () => readCondition(link, device),
  };
}

/** Waits until the slot is empty, at most {@link REMOVE_CARD_MS}. */
async function slotEmpty(link: MiuraLink, watch: CardWatch, text: string): Promise<Result<undefined>> {
  const unsent = selectCardReports(link, 'slot');
  if (unsent) return unsent;
  const slot = await watch.next((event) => (event.kind === 'card' ? event : undefined), COMMAND_TIMEOUT_MS);
  if (slot === 'timeout') return SLOT_SILENT;
  if (slot === 'gone') return PORT_CLOSED;
  if (slot === 'stopped' || !slot.status.present) return undefined;
  const shown = await showText(link, `${text} - REMOVE CARD`);
  if (shown) return shown;
  const left = await watch.next(
    (event) => (event.kind === 'card' && !event.status.present ? event : undefined),
    REMOVE_CARD_MS,
  );
  return left === 'gone' ? PORT_CLOSED : undefined;
}

/** Miura MPI. */
export const openMaker: OpenMaker =
  ({ clock, idleText }) =>
  (pipe) => {
    const link = new MiuraLink(pipe, clock);
    return async () => andThen(await openDevice(link), (device) => session(link, clock, device, idleText));
  };
