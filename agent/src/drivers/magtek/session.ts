import { encodeTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import {
  DISPLAY_STRINGS,
  nearestDisplayString,
} from '@tillbridge/protocol/terminals/magtek/display-strings.js';
import { PORT_CLOSED } from '../core/command-link.js';
import type {
  CompleteOutcome,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalIdentity,
} from '../core/driver.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { CommandHooks, MakerParts, MakerSession, OpenMakerLine } from '../core/maker-session.js';
import { failed, isFailed, type Result } from '../core/result.js';
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
class MagtekSession implements MakerSession {
  readonly kind = 'open';
  readonly identity: TerminalIdentity;
  private readonly device: OpenedDevice;
  private readonly link: MmsLink;
  private readonly notices: Notices;
  /** A sale waits for a card, or the slot for its removal: what `interrupt` can stop. */
  private blocking: 'start' | 'finish' | undefined;
  /** What asks the issuer; `object`: the request whose answer the device waits for as well. */
  private asked: { readonly object?: DeviceObject; readonly chip: boolean } | undefined;

  constructor(link: MmsLink, notices: Notices, device: OpenedDevice) {
    this.link = link;
    this.notices = notices;
    this.device = device;
    this.identity = device.identity;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const { link, notices, device } = this;
    notices.begin();
    this.asked = undefined;
    this.blocking = 'start';
    try {
      const { outcome, asked } = await startSale({ link, notices, request, hooks, device });
      if (outcome.kind === 'online-required')
        this.asked = { ...(asked && { object: asked }), chip: outcome.card.iccData.length > 0 };
      return outcome;
    } finally {
      this.blocking = undefined;
    }
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    const { asked } = this;
    this.asked = undefined;
    if (!asked) return failed('internal', 'no request waits for an answer');
    if (!asked.object) return completeMagstripe(result);
    const outcome = await completeSale(this.link, this.notices, asked.object, result);
    // The device wants to hear how a magstripe fared, and has no say in it.
    return asked.chip ? outcome : completeMagstripe(result);
  }

  async finish(text: string): Promise<Result<undefined>> {
    this.notices.begin();
    this.asked = undefined;
    this.blocking = 'finish';
    try {
      // A transaction that nobody answered still waits on the device.
      const stuck = await stopTransaction(this.link);
      if (stuck) return stuck;
      await this.slotEmpty();
    } finally {
      this.blocking = undefined;
    }
    return this.show(nearestDisplayString(text));
  }

  async interrupt(): Promise<void> {
    // What comes of it the running command finds out: a device that reads a card cannot be stopped just then.
    if (this.blocking === 'start') await stopTransaction(this.link);
    if (this.blocking === 'finish') this.notices.interrupt();
  }

  showIdle(): Promise<Result<undefined>> {
    return this.show('welcome');
  }

  async checkAlive(): Promise<Result<undefined>> {
    if (this.notices.resetSoon) return this.resetNow();
    const status = await getProperty(this.link, 'operationalStatus');
    return isFailed(status) ? status : undefined;
  }

  condition(): Promise<Result<TerminalCondition>> {
    return readCondition(this.link, this.device);
  }

  /** The device must reset once a day, and has said that it soon will: better now than during a sale. */
  private async resetNow(): Promise<Result<undefined>> {
    this.notices.begin();
    const reset = parametersOf(
      'resetDevice',
      await this.link.request('resetDevice', undefined, () => this.notices.forget()),
    );
    if (isFailed(reset)) return reset;
    const notice = await this.notices.next(
      ({ kind }) => (kind === 'reset' ? kind : undefined),
      BOOT_TIMEOUT_MS,
    );
    if (notice === 'reset') return undefined;
    return notice === 'gone'
      ? PORT_CLOSED
      : failed('terminal-gone', 'the terminal does not come back from its reset');
  }

  /** The device asks for the card by itself, and tells when it is gone. */
  private async slotEmpty(): Promise<void> {
    while (this.notices.inserted) {
      const notice = await this.notices.next((told) => told, REMOVE_CARD_MS);
      if (typeof notice === 'string' || notice.kind === 'damaged') return;
    }
  }

  private async show(name: keyof typeof DISPLAY_STRINGS): Promise<Result<undefined>> {
    const parameters = encodeTlv([tlv(MESSAGE_ID, Buffer.of(DISPLAY_STRINGS[name].id))]);
    const shown = parametersOf('displayMessage', await this.link.request('displayMessage', parameters));
    return isFailed(shown) ? shown : undefined;
  }
}

/** MagTek MMS: reports over USB-HID, SLIP over a serial line. @param patience how the device waits for the issuer */
export const openMaker =
  ({ clock, transport }: MakerParts, patience: IssuerPatience = PATIENCE): OpenMakerLine =>
  (pipe) => {
    const link = new MmsLink(pipe, transport === 'serial' ? 'serial' : 'hid', clock);
    const notices = new Notices(link, clock);
    return {
      async openSession() {
        const device = await openDevice(link, patience);
        return isFailed(device) ? device : new MagtekSession(link, notices, device);
      },
    };
  };
