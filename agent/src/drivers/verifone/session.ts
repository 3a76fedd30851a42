import { tlv } from '@tillbridge/wire/emv/tlv.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { pollUntilRemoved } from '../core/card-removal.js';
import type { TerminalIdentity } from '../core/driver.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { CommandHooks, MakerSession, OpenMaker } from '../core/maker-session.js';
import { andThen, isFailed, type Result } from '../core/result.js';
import { askPerson } from './ask-person.js';
import { completeSale } from './complete-sale.js';
import { askAlive, bringInStep, identify, readCondition, reboot, showText } from './device.js';
import { COMMAND_TIMEOUT_MS, REMOVAL_STEP_SECONDS, REMOVE_CARD_MS } from './limits.js';
import { SdiLink } from './link.js';
import { printLines } from './print-lines.js';
import { readCardOutsideSale } from './read-card-outside-sale.js';
import { ask, statusFailure } from './replies.js';
import { startSale } from './start-sale.js';

/** An open SDI session as the driver uses it. */
function session(link: SdiLink, clock: Clock, identity: TerminalIdentity, idleText: string): MakerSession {
  return {
    identity,
    start: (sale) => startSale({ link, ...sale }),
    async complete(result, { facts: { entryMode } }) {
      if (entryMode === 'ICC') return completeSale(link, 'chip', result);
      return entryMode.startsWith('NFC') ? completeSale(link, 'tap', result) : completeMagstripe(result);
    },
    finish: async (text, hooks) =>
      (await bringInStep(link)) ??
      (await forget(link)) ??
      (await slotEmpty(link, clock, text, hooks)) ??
      showText(link, text),
    interrupt: async () => link.abort(),
    showText: (text) => showText(link, text),
    reset: () => reboot(link),
    ask: (question, { stopped }) => askPerson(link, question, stopped),
    print: (lines) => printLines(link, lines),
    readCard: (sale) => readCardOutsideSale({ link, ...sale }),
    showIdle: () => showText(link, idleText),
    checkAlive: () => askAlive(link),
    condition: () => readCondition(link, identity),
  };
}

/** Ends the transactions of both kernels, whichever was open, and clears the card data that the device keeps. */
async function forget(link: SdiLink): Promise<Result<undefined>> {
  for (const command of ['ctEnd', 'ctlsEnd', 'clearDataStore'] as const) {
    const ended = await ask(link, command);
    if (isFailed(ended)) return ended;
  }
  return undefined;
}

/** Waits until the slot is empty, at most {@link REMOVE_CARD_MS}. */
async function slotEmpty(
  link: SdiLink,
  clock: Clock,
  text: string,
  { stopped }: CommandHooks,
): Promise<Result<undefined>> {
  const present = await cardPresent(link, 0);
  if (present !== true) return present || undefined;
  const shown = await showText(link, `${text} - REMOVE CARD`);
  if (shown) return shown;
  const isPresent = () => cardPresent(link, REMOVAL_STEP_SECONDS);
  return pollUntilRemoved({ clock, stopped, limitMs: REMOVE_CARD_MS, isPresent });
}

/** Waits some seconds for the card to leave. Returns whether it is still there. */
async function cardPresent(link: SdiLink, seconds: number): Promise<Result<boolean>> {
  const time = Buffer.of(seconds >>> 8, seconds & 0xff);
  const waited = await ask(link, 'waitCardRemoval', {
    data: encodeContainer([tlv(TAGS.timeoutSeconds, time)]),
    timeoutMs: seconds * 1_000 + COMMAND_TIMEOUT_MS,
  });
  if (isFailed(waited)) return waited;
  if (waited.hint === 'timed-out') return true;
  // Where no card was inserted in this sale, there is none to wait for.
  return waited.hint === 'ok' || waited.hint === 'wrong-state'
    ? false
    : statusFailure('waitCardRemoval', waited);
}

/** Verifone SDI: type B frames over TCP, type A over anything else. */
export const openMaker: OpenMaker =
  ({ clock, transport, idleText }) =>
  (pipe) => {
    const link = new SdiLink(pipe, clock, transport === 'tcp' ? 'B' : 'A');
    return async () => {
      const stuck = await bringInStep(link);
      return stuck ?? andThen(await identify(link), (device) => session(link, clock, device, idleText));
    };
  };
