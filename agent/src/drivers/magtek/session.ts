import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { DISPLAY_STRINGS, nearestDisplayString } from '@tillbridge/wire/terminals/magtek/display-strings.js';
import { PORT_CLOSED } from '../core/command-link.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { MakerDeps, MakerSession, OpenMakerLine } from '../core/maker-session.js';
import { andThen, failed, problemOf, type Result } from '../core/result.js';
import type { DeviceObject } from './card-data.js';
import { completeSale } from './complete-sale.js';
import {
  getProperty,
  type IssuerPatience,
  type OpenedDevice,
  openDevice,
  readCondition,
  stopTransaction,
} from './device.js';
import { BOOT_TIMEOUT_MS, ISSUER_RETRIES, ISSUER_WAIT_SECONDS, REMOVE_CARD_MS } from './limits.js';
import { MmsLink } from './link.js';
import { Notices } from './notices.js';
import { parametersOf } from './replies.js';
import { startSale } from './start-sale.js';

const MESSAGE_ID = '82';
const PATIENCE: IssuerPatience = { seconds: ISSUER_WAIT_SECONDS, retries: ISSUER_RETRIES };

/** An open MMS session as the driver uses it. */
function session(link: MmsLink, notices: Notices, device: OpenedDevice): MakerSession {
  /** The command that `interrupt` can stop: a wait for a card, or for its removal. */
  let blocking: 'start' | 'finish' | undefined;
  /** The request that the device waits to have answered; none for a card that was keyed in. */
  let request: DeviceObject | undefined;
  const run = async <T>(command: 'start' | 'finish', work: () => Promise<T>): Promise<T> => {
    notices.begin();
    request = undefined;
    blocking = command;
    try {
      return await work();
    } finally {
      blocking = undefined;
    }
  };
  return {
    identity: device.identity,
    start: (sale) =>
      run('start', async () => {
        const started = await startSale({ link, notices, device, ...sale });
        request = started.request;
        return started.outcome;
      }),
    async complete(result, { iccData }) {
      const outcome = request && (await completeSale(link, notices, request, result));
      request = undefined;
      // The device takes the issuer's answer for a magstripe too, and does not decide on it.
      return outcome && iccData.length > 0 ? outcome : completeMagstripe(result);
    },
    async finish(text) {
      const stuck = await run('finish', async () => {
        // A transaction that was not answered is still open on the device.
        const problem = await stopTransaction(link);
        if (!problem) await slotEmpty(notices);
        return problem;
      });
      return stuck ?? show(link, nearestDisplayString(text));
    },
    async interrupt() {
      // The running command learns the result: a device that reads a card cannot be stopped at that moment.
      if (blocking === 'start') await stopTransaction(link);
      if (blocking === 'finish') notices.interrupt();
    },
    // MMS shows only texts of the device's table.
    reset: () => resetNow(link, notices),
    showIdle: () => show(link, 'welcome'),
    checkAlive: async () =>
      notices.resetSoon ? resetNow(link, notices) : problemOf(await getProperty(link, 'operationalStatus')),
    condition: () => readCondition(link, device),
  };
}

/** The device must reset once a day and has announced it: it resets now, and not during a sale. */
async function resetNow(link: MmsLink, notices: Notices): Promise<Result<undefined>> {
  notices.begin();
  const reply = await link.request('resetDevice', undefined, () => notices.forget());
  const refused = problemOf(parametersOf('resetDevice', reply));
  if (refused) return refused;
  const notice = await notices.next(({ kind }) => (kind === 'reset' ? kind : undefined), BOOT_TIMEOUT_MS);
  if (notice === 'reset') return undefined;
  return notice === 'gone'
    ? PORT_CLOSED
    : failed('terminal-gone', 'the terminal does not come back from its reset');
}

/** Waits until the card has left. The device itself prompts for its removal. */
async function slotEmpty(notices: Notices): Promise<void> {
  while (notices.inserted) {
    const notice = await notices.next((each) => each, REMOVE_CARD_MS);
    if (typeof notice === 'string' || notice.kind === 'damaged') return;
  }
}

async function show(link: MmsLink, name: keyof typeof DISPLAY_STRINGS): Promise<Result<undefined>> {
  const parameters = encodeTlv([tlv(MESSAGE_ID, Buffer.of(DISPLAY_STRINGS[name].id))]);
  return problemOf(parametersOf('displayMessage', await link.request('displayMessage', parameters)));
}

/** MagTek MMS: reports over USB-HID, SLIP over a serial line. @param patience how the device waits for the issuer */
export const openMaker =
  ({ clock, transport }: MakerDeps, patience: IssuerPatience = PATIENCE): OpenMakerLine =>
  (pipe) => {
    const link = new MmsLink(pipe, transport === 'serial' ? 'serial' : 'hid', clock);
    const notices = new Notices(link, clock);
    return async () => andThen(await openDevice(link, patience), (device) => session(link, notices, device));
  };
