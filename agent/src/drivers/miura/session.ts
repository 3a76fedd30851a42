import { encodeTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { MAX_COMMAND_DATA } from '@tillbridge/protocol/terminals/miura/commands.js';
import { statusOf } from '@tillbridge/protocol/terminals/miura/statuses.js';
import { TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
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
import { CardWatch, templateOf } from './card-watch.js';
import { ask, type MiuraDevice, openDevice, readCondition, showText, tellCards } from './device.js';
import { COMMAND_TIMEOUT_MS, CONTINUE_TIMEOUT_MS, REMOVE_CARD_MS } from './limits.js';
import { gone, MiuraLink } from './link.js';
import { dataOf, statusFailure } from './replies.js';
import { startSale } from './start-sale.js';

/**
 * Tag 8A where nobody could be reached. MPI has no word of its own for it, and its published host declines with a code
 * of its own (from public sources incomplete): the card is asked to decline.
 */
const UNABLE_TO_GO_ONLINE = 'Z3';
const FINAL: ReadonlySet<string> = new Set(FINAL_TAGS);

/** An open MPI session as the driver uses it. */
class MiuraSession implements MakerSession {
  readonly kind = 'open';
  private readonly link: MiuraLink;
  private readonly clock: Clock;
  private readonly device: MiuraDevice;
  private readonly idleText: string;
  private watch: CardWatch | undefined;
  /** A chip or tap waits for CONTINUE TRANSACTION. */
  private waits: 'chip' | 'stripe' = 'stripe';

  constructor(link: MiuraLink, clock: Clock, device: MiuraDevice, idleText: string) {
    this.link = link;
    this.clock = clock;
    this.device = device;
    this.idleText = idleText;
  }

  get identity(): TerminalIdentity {
    return this.device.identity;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    return this.watching(hooks, async (watch) => {
      const { link, clock, device } = this;
      const outcome = await startSale({ link, clock, device, watch, request, hooks });
      const chip = outcome.kind === 'online-required' && outcome.card.iccData.length > 0;
      this.waits = chip ? 'chip' : 'stripe';
      return outcome;
    });
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    if (this.waits === 'stripe') return completeStripe(result);
    const data = issuerAnswer(result);
    if (!Buffer.isBuffer(data)) return data;
    const command = { command: 'continue', p1: 0, p2: 0, data } as const;
    const reply = await this.link.execute(command, CONTINUE_TIMEOUT_MS);
    if (reply.kind === 'failed') return reply;
    const { sw, data: answer } = reply.response;
    return statusOf(sw).hint === 'ok' ? finalDecision(answer) : statusFailure('continue', sw);
  }

  finish(text: string): Promise<Failed | undefined> {
    return this.watching(undefined, async (watch) => {
      // A transaction that was not continued is still open on the device.
      const aborted = dataOf('abort', await this.link.abort());
      if (!Buffer.isBuffer(aborted)) return aborted;
      const stuck = await this.slotEmpty(watch, text);
      if (stuck) return stuck;
      return (await tellCards(this.link, 'nothing')) ?? showText(this.link, text);
    });
  }

  async interrupt(): Promise<void> {
    this.watch?.interrupt();
    if (this.link.blocking) await this.link.abort();
  }

  showIdle(): Promise<Failed | undefined> {
    return showText(this.link, this.idleText);
  }

  async checkAlive(): Promise<Failed | undefined> {
    const data = dataOf('p2peStatus', await ask(this.link, 'p2peStatus'));
    return Buffer.isBuffer(data) ? undefined : data;
  }

  condition(): Promise<TerminalCondition | Failed> {
    return readCondition(this.link, this.device);
  }

  /** Waits until the slot is empty, however long that takes. */
  private async slotEmpty(watch: CardWatch, text: string): Promise<Failed | undefined> {
    const told = await tellCards(this.link, 'slot');
    if (told) return told;
    const slot = await watch.next((event) => (event.kind === 'card' ? event : undefined), COMMAND_TIMEOUT_MS);
    if (slot === 'timeout')
      return failed('terminal-silent', 'CARD STATUS: the terminal tells nothing of its slot');
    if (slot === 'gone') return gone();
    if (slot === 'stopped' || !slot.status.present) return undefined;
    const shown = await showText(this.link, `${text} - REMOVE CARD`);
    if (shown) return shown;
    const left = await watch.next(
      (event) => (event.kind === 'card' && !event.status.present ? event : undefined),
      REMOVE_CARD_MS,
    );
    return left === 'gone' ? gone() : undefined;
  }

  private async watching<T>(
    hooks: CommandHooks | undefined,
    work: (watch: CardWatch) => Promise<T>,
  ): Promise<T> {
    const watch = new CardWatch(this.link, this.clock, () => hooks?.progress({ step: 'pin-entry' }));
    this.watch = watch;
    try {
      return await work(watch);
    } finally {
      this.watch = undefined;
      watch.close();
    }
  }
}

/** E0 of CONTINUE TRANSACTION: response code, authentication data, scripts. */
function issuerAnswer(result: OnlineResult): Buffer | Failed {
  const unable = result.kind === 'unable-to-go-online';
  const nodes = unable ? [] : readTlv('the issuer data', result.issuerData);
  if (!isTlv(nodes)) return nodes;
  const code = unable ? UNABLE_TO_GO_ONLINE : responseCodeForCard(result);
  const wanted = nodes.filter(({ tag }) => ISSUER_TAGS.has(tag));
  const data = encodeTlv([tlv(TEMPLATES.commandData, [tlv('8A', Buffer.from(code, 'latin1')), ...wanted])]);
  if (data.length <= MAX_COMMAND_DATA) return data;
  return failed(
    'data-too-long',
    `issuer data of ${data.length} bytes, the terminal takes ${MAX_COMMAND_DATA}`,
  );
}

function finalDecision(answer: Buffer): CompleteOutcome {
  const nodes = readTlv('CONTINUE TRANSACTION', answer);
  if (!isTlv(nodes)) return nodes;
  const template = templateOf(nodes);
  if (template?.tag !== TEMPLATES.approved && template?.tag !== TEMPLATES.declined) {
    return failed('protocol-error', 'CONTINUE TRANSACTION: the terminal answered with no known decision');
  }
  const iccData = cleanIccData(template.objects.filter(({ tag }) => FINAL.has(tag)));
  if ('kind' in iccData) return iccData;
  return { kind: template.tag === TEMPLATES.approved ? 'approved' : 'declined', iccData };
}

/** Miura MPI over an open pipe. */
export function miuraLine(pipe: BytePipe, clock: Clock, idleText: string): MakerLine {
  const link = new MiuraLink(pipe, clock);
  return {
    async openSession() {
      const device = await openDevice(link);
      return device.kind === 'failed' ? device : new MiuraSession(link, clock, device, idleText);
    },
  };
}
