import { encodeTlv, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import {
  decodePresentCard,
  encodeCardPresence,
  PRESENT_CARDS,
} from '@tillbridge/protocol/terminals/newland/commands.js';
import { MAX_DATA_BYTES } from '@tillbridge/protocol/terminals/newland/frame.js';
import { decodeCompleteAnswer, encodeComplete } from '@tillbridge/protocol/terminals/newland/perform.js';
import { resultName } from '@tillbridge/protocol/terminals/newland/statuses.js';
import type {
  CompleteOutcome,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalIdentity,
} from '../core/driver.js';
import { cleanIccData, FINAL_TAGS, ISSUER_TAGS, isTlv, readTlv } from '../core/emv-data.js';
import { completeStripe, responseCodeForCard } from '../core/issuer-answer.js';
import type { CommandHooks, MakerLine, MakerSession } from '../core/maker-session.js';
import { type Failed, failed } from '../core/result.js';
import { getTlvList } from './card-data.js';
import { openDevice, readCondition, readStatus, showText, terminate } from './device.js';
import { COMPLETE_TIMEOUT_MS, REMOVAL_POLL_MS, REMOVE_CARD_MS } from './limits.js';
import { command, level3, NewlandLink } from './link.js';
import { dataOf, l3Failure, readReply } from './replies.js';
import { StartSale } from './start-sale.js';

const WHAT = 'COMPLETE TRANSACTION';
/** What function 32 has beside the issuer's objects: type, separator, function, result, length. */
const COMPLETE_OVERHEAD_BYTES = 16;
const REMOVE_CARD = 'REMOVE CARD';

/** An open session with a Newland pad as the driver uses it. */
class NewlandSession implements MakerSession {
  readonly kind = 'open';
  readonly identity: TerminalIdentity;
  private readonly link: NewlandLink;
  private readonly clock: Clock;
  private readonly idleText: string;
  private sale: StartSale | undefined;
  /** A chip waits for COMPLETE TRANSACTION: the pad takes no answer for taps and stripes. */
  private waits: 'chip' | 'other' = 'other';
  /** Whoever waits for the card to leave need not wait any longer. */
  private stopped = false;

  constructor(link: NewlandLink, clock: Clock, identity: TerminalIdentity, idleText: string) {
    this.link = link;
    this.clock = clock;
    this.identity = identity;
    this.idleText = idleText;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const sale = new StartSale(this.link, request, hooks);
    this.sale = sale;
    try {
      const outcome = await sale.run();
      const chip = outcome.kind === 'online-required' && outcome.card.facts.entryMode === 'ICC';
      this.waits = chip ? 'chip' : 'other';
      return outcome;
    } finally {
      this.sale = undefined;
    }
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    if (this.waits === 'other') return completeStripe(result);
    const data = issuerAnswer(result);
    if (!Buffer.isBuffer(data)) return data;
    const reply = await this.link.execute(level3('complete', data), COMPLETE_TIMEOUT_MS);
    const bytes = dataOf(WHAT, reply);
    if (!Buffer.isBuffer(bytes)) return bytes;
    const answer = readReply(WHAT, () => decodeCompleteAnswer(bytes));
    if ('kind' in answer) return answer;
    const kind = resultName(answer.result);
    if (kind !== 'approved' && kind !== 'declined') return l3Failure(WHAT, answer.error);
    const nodes = await getTlvList(this.link, FINAL_TAGS);
    if (!isTlv(nodes)) return nodes;
    const iccData = cleanIccData(nodes);
    return 'kind' in iccData ? iccData : { kind, iccData };
  }

  async finish(text: string): Promise<Failed | undefined> {
    this.stopped = false;
    const ended = await terminate(this.link);
    if (ended) return ended;
    return (await this.slotEmpty()) ?? showText(this.link, text);
  }

  async interrupt(): Promise<void> {
    this.stopped = true;
    await this.sale?.interrupt();
  }

  showIdle(): Promise<Failed | undefined> {
    return showText(this.link, this.idleText);
  }

  async checkAlive(): Promise<Failed | undefined> {
    const status = await readStatus(this.link);
    return typeof status === 'string' ? undefined : status;
  }

  condition(): Promise<TerminalCondition | Failed> {
    return readCondition(this.link, this.identity);
  }

  /** Asks until the slot is empty, however long that takes: the pad tells nothing by itself. */
  private async slotEmpty(): Promise<Failed | undefined> {
    const untilMs = this.clock.monotonicMs() + REMOVE_CARD_MS;
    while (!this.stopped && this.clock.monotonicMs() < untilMs) {
      const present = await this.cardPresent();
      if (present !== true) return present || undefined;
      await this.pause();
    }
    return undefined;
  }

  private async cardPresent(): Promise<boolean | Failed> {
    const what = 'CARD PRESENCE';
    const reply = await this.link.execute(command('cardPresence', encodeCardPresence(REMOVE_CARD)));
    const data = dataOf(what, reply);
    if (!Buffer.isBuffer(data)) return data;
    const card = readReply(what, () => decodePresentCard(data));
    return typeof card === 'number' ? card === PRESENT_CARDS.contact : card;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.clock.setTimer(REMOVAL_POLL_MS, resolve);
    });
  }
}

/** The data of COMPLETE TRANSACTION: response code, authentication data, scripts; nothing when nobody could be reached. */
function issuerAnswer(result: OnlineResult): Buffer | Failed {
  if (result.kind === 'unable-to-go-online') return encodeComplete({ online: false, objects: [] });
  const nodes = readTlv('the issuer data', result.issuerData);
  if (!isTlv(nodes)) return nodes;
  const code = Buffer.from(responseCodeForCard(result), 'latin1');
  const objects: TlvNode[] = [tlv('8A', code), ...nodes.filter(({ tag }) => ISSUER_TAGS.has(tag))];
  const room = MAX_DATA_BYTES - COMPLETE_OVERHEAD_BYTES;
  const { length } = encodeTlv(objects);
  if (length <= room) return encodeComplete({ online: true, objects });
  return failed('data-too-long', `issuer data of ${length} bytes, the terminal takes ${room}`);
}

/** The Newland pin pad protocol over an open pipe. */
export function newlandLine(pipe: BytePipe, clock: Clock, idleText: string): MakerLine {
  const link = new NewlandLink(pipe, clock);
  return {
    async openSession() {
      const identity = await openDevice(link);
      return 'kind' in identity ? identity : new NewlandSession(link, clock, identity, idleText);
    },
  };
}
