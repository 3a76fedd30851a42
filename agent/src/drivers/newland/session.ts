import type { Clock } from '@tillbridge/wire/seams/clock.js';
import {
  decodePresentCard,
  encodeCardPresence,
  PRESENT_CARDS,
} from '@tillbridge/wire/terminals/newland/commands.js';
import { pollUntilRemoved } from '../core/card-removal.js';
import type { TerminalIdentity } from '../core/driver.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { MakerSession, OpenMaker } from '../core/maker-session.js';
import { andThen, problemOf, type Result } from '../core/result.js';
import { completeChip } from './complete-sale.js';
import { openDevice, readCondition, readStatus, showText, terminate } from './device.js';
import { REMOVAL_POLL_MS, REMOVE_CARD_MS } from './limits.js';
import { command, NewlandLink } from './link.js';
import { ask } from './replies.js';
import { StartSale } from './start-sale.js';

/** An open session with a Newland pad as the driver uses it. */
function session(
  link: NewlandLink,
  clock: Clock,
  identity: TerminalIdentity,
  idleText: string,
): MakerSession {
  let sale: StartSale | undefined;
  return {
    identity,
    async start(input) {
      const started = new StartSale({ link, ...input });
      sale = started;
      try {
        return await started.run();
      } finally {
        sale = undefined;
      }
    },
    // The pad takes no answer for taps and magstripes.
    complete: async (result, { facts }) =>
      facts.entryMode === 'ICC' ? completeChip(link, result) : completeMagstripe(result),
    finish: async (text, { stopped }) =>
      (await terminate(link)) ??
      (await pollUntilRemoved({
        clock,
        stopped,
        limitMs: REMOVE_CARD_MS,
        isPresent: () => cardPresent(link),
        pauseMs: REMOVAL_POLL_MS,
      })) ??
      showText(link, text),
    interrupt: async () => sale?.interrupt(),
    showText: (text) => showText(link, text),
    // The pad confirms by an answer that the published host looks at no further.
    reset: async () => problemOf(await link.execute(command('reboot'))),
    showIdle: () => showText(link, idleText),
    checkAlive: async () => problemOf(await readStatus(link)),
    condition: () => readCondition(link, identity),
  };
}

/** Queries whether a card is in the slot, and shows the request to remove it; the pad does not report its removal. */
async function cardPresent(link: NewlandLink): Promise<Result<boolean>> {
  const card = await ask(link, command('cardPresence', encodeCardPresence('REMOVE CARD')), decodePresentCard);
  return andThen(card, (present) => present === PRESENT_CARDS.contact);
}

/** The Newland pin pad protocol. */
export const openMaker: OpenMaker =
  ({ clock, idleText }) =>
  (pipe) => {
    const link = new NewlandLink(pipe, clock);
    return async () => andThen(await openDevice(link), (device) => session(link, clock, device, idleText));
  };
