import { toHex } from '@tillbridge/protocol/bytes.js';
import { CARD_TAGS } from '@tillbridge/protocol/emv/tag-lists.js';
import { findTlv } from '@tillbridge/protocol/emv/tlv.js';
import { displayMessage } from '@tillbridge/protocol/terminals/abecs/classic.js';
import type { FieldReader } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import {
  type CardType,
  type IccStatus,
  parseAidTableInfo,
  parseCardType,
  parseIccStatus,
} from '@tillbridge/protocol/terminals/abecs/results.js';
import { formatPanMask, readIncompleteTrack2 } from '@tillbridge/protocol/terminals/abecs/tracks.js';
import {
  type CardAsk,
  type CardTrouble,
  nextAsk,
  swipedAs,
  TOO_MANY_ATTEMPTS,
} from '../core/card-attempts.js';
import type { CardFacts, StartOutcome } from '../core/driver.js';
import { readTlv, tagList } from '../core/emv-data.js';
import { attempt, type Failed, isFailed, type Result, STOPPED_BY_TILL } from '../core/result.js';
import { entryModeOf, troubleOf } from './card-status.js';
import { oneLine, PROMPT_TEXTS, REMOVE_FOR_SWIPE } from './display-text.js';
import { CARD_HANDLING_MS, MAX_CARD_TIMEOUT_SECONDS, REMOVE_CARD_MS } from './limits.js';
import type { Reply } from './link.js';
import { cardholderOutcome } from './replies.js';
import { type SaleContext, transactionFields } from './transaction-request.js';

/** A card that was read by GCX and may be used. */
export interface ReadCard {
  readonly kind: 'card';
  readonly type: CardType;
  readonly facts: CardFacts;
  readonly hasTrack2: boolean;
  readonly serviceCode?: string;
  /** SPE_ACQREF for GOX; absent for a magnetic stripe. */
  readonly acquirer?: string;
  /** The ask that found it. */
  readonly ask: CardAsk;
}

/** Open digits of a masked PAN (SPE_PANMASK, ABECS 2.12 §5.4.1): what `card.bin` and `card.last4Digits` need. */
const PAN_MASK = { left: 6, right: 4 } as const;
/** Of a shorter PAN the open digits would tell almost all. */
const FEWEST_DIGITS = 12;

/** The first and last digits, as far as the device left them open; nothing of a PAN too short to be masked. */
function openDigits(maskedPan: string): Pick<CardFacts, 'bin' | 'last4Digits'> {
  const digits = maskedPan.replaceAll(' ', '');
  if (digits.length < FEWEST_DIGITS) return {};
  const bin = /^\d{6}/.exec(digits)?.[0];
  const last4Digits = /\d{4}$/.exec(digits)?.[0];
  return { ...(bin && { bin }), ...(last4Digits && { last4Digits }) };
}

function applicationFacts(
  fields: FieldReader,
): Pick<CardFacts, 'aid' | 'label' | 'paymentAccountReference'> | Failed {
  const nodes = readTlv('PP_EMVDATA of GCX', fields.bytes('PP_EMVDATA') ?? Buffer.alloc(0));
  if (isFailed(nodes)) return nodes;
  const aid = findTlv(nodes, '84') ?? findTlv(nodes, '4F');
  const par = findTlv(nodes, '9F24');
  const label = fields.text('PP_LABEL')?.trim();
  return {
    ...(aid && { aid: toHex(aid) }),
    ...(label && { label }),
    ...(par && { paymentAccountReference: Buffer.from(par).toString('latin1').trim() }),
  };
}

interface GcxAnswer {
  readonly card: ReadCard;
  readonly iccStatus: IccStatus | undefined;
}

function readAnswer(ctx: SaleContext, ask: CardAsk, fields: FieldReader): Result<GcxAnswer> {
  const type = parseCardType(fields.text('PP_CARDTYPE') ?? '');
  const statusText = fields.text('PP_ICCSTAT');
  const iccStatus = statusText === undefined ? undefined : parseIccStatus(statusText);
  const track2 = fields.text('PP_TRK2INC');
  const track = track2 === undefined ? undefined : readIncompleteTrack2(track2);
  const application = applicationFacts(fields);
  if (isFailed(application)) return application;
  const info = fields.text('PP_AIDTABINFO');
  const records = info === undefined ? [] : parseAidTableInfo(info);
  const acquirer = (records.find((entry) => entry.acquirer === ctx.config.acquirer) ?? records[0])?.acquirer;
  const expiry = fields.text('PP_CARDEXP')?.slice(0, 4) ?? track?.expiry;
  const panSequenceNumber = fields.text('PP_PANSEQNO');
  const facts: CardFacts = {
    entryMode: entryModeOf(type, iccStatus, track?.serviceCode),
    ...openDigits(fields.text('PP_PAN') ?? track?.maskedPan ?? ''),
    ...(expiry && { expiry }),
    ...(panSequenceNumber && { panSequenceNumber }),
    ...application,
  };
  const serviceCode = track?.serviceCode;
  const card: ReadCard = {
    kind: 'card',
    type,
    facts,
    hasTrack2: track2 !== undefined,
    ask,
    ...(serviceCode && { serviceCode }),
    ...(acquirer && { acquirer }),
  };
  return { card, iccStatus };
}

/** Reads the notifications of GCX: the choice of application means that a card is there. */
function watchCard(ctx: SaleContext): (lines: readonly [string, string]) => void {
  return (lines) => {
    ctx.progress({ step: 'reading-card' });
    ctx.progress({ step: 'message', text: oneLine(lines.join(' ')) });
  };
}

function sendGcx(ctx: SaleContext, { contactless, prompt }: CardAsk): Promise<Reply> {
  const { request } = ctx;
  const seconds = Math.min(MAX_CARD_TIMEOUT_SECONDS, Math.max(1, Math.ceil(request.cardTimeoutMs / 1_000)));
  return ctx.link.abecs(
    'GCX',
    {
      ...transactionFields(ctx),
      SPE_TRNDATE: request.date,
      SPE_TRNTIME: request.time,
      SPE_GCXOPT: contactless ? '10000' : '00000',
      SPE_PANMASK: formatPanMask(PAN_MASK),
      SPE_TAGLIST: tagList(CARD_TAGS),
      SPE_TIMEOUT: seconds,
      ...(prompt !== 'present' && { SPE_DSPMSG: PROMPT_TEXTS[prompt] }),
    },
    seconds * 1_000 + CARD_HANDLING_MS,
    watchCard(ctx),
  );
}

/**
 * Why a card that GCX gave may not be used. A chip card is swiped only after its chip failed, which the device tells
 * (PP_ICCSTAT, ABECS 2.12 §3.7.1).
 */
function troubleWith({ config }: SaleContext, { card, iccStatus }: GcxAnswer): CardTrouble | undefined {
  if (card.type !== 'magstripe') return undefined;
  if (!card.hasTrack2) return 'magstripe-unreadable';
  const chipFailed = iccStatus === 'fallback-allowed' && config.magstripeFallback;
  return swipedAs(card.serviceCode, chipFailed) ? undefined : 'chip-first';
}

/** A card whose chip failed must leave the slot before it can be swiped; GCX would read the chip again. */
async function clearSlot(ctx: SaleContext): Promise<StartOutcome | undefined> {
  ctx.progress({ step: 'remove-card' });
  const reply = await ctx.link.classic(
    'RMC',
    { RMC_MSG: displayMessage(...REMOVE_FOR_SWIPE) },
    REMOVE_CARD_MS,
  );
  if (reply.kind === 'ok') return undefined;
  if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
  return isFailed(reply) ? reply : cardholderOutcome('RMC', reply.status);
}

/** A card that may not be used; `end`: how the sale ends where it is not asked for again. */
interface Trouble {
  readonly kind: 'trouble';
  readonly trouble: CardTrouble | undefined;
  readonly end: StartOutcome;
}

/** Asks for a card until one is read, refused for good, or the sale is stopped. */
export async function readCard(ctx: SaleContext, first: CardAsk): Promise<ReadCard | StartOutcome> {
  let ask = first;
  let cleared = false;
  for (;;) {
    if (ctx.stopped()) return STOPPED_BY_TILL;
    if (ask.fallback && !cleared) {
      const problem = await clearSlot(ctx);
      if (problem) return problem;
      cleared = true;
    }
    ctx.progress({ step: 'waiting-for-card' });
    const given = await askOnce(ctx, ask);
    if (given.kind !== 'trouble') return given;
    const next = given.trouble && nextAsk(ask, given.trouble, ctx.config.magstripeFallback);
    if (next?.kind !== 'again') return given.end;
    ask = next.ask;
    if (ask.prompt !== 'present') ctx.progress({ step: 'message', text: oneLine(PROMPT_TEXTS[ask.prompt]) });
  }
}

async function askOnce(ctx: SaleContext, ask: CardAsk): Promise<ReadCard | StartOutcome | Trouble> {
  const reply = await sendGcx(ctx, ask);
  if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
  if (isFailed(reply)) return reply;
  if (reply.kind === 'status') {
    const { status } = reply;
    return { kind: 'trouble', trouble: troubleOf(status), end: cardholderOutcome('GCX', status) };
  }
  const answer = attempt('GCX', () => readAnswer(ctx, ask, reply.fields));
  if (isFailed(answer)) return answer;
  const trouble = troubleWith(ctx, answer);
  return trouble ? { kind: 'trouble', trouble, end: TOO_MANY_ATTEMPTS } : answer.card;
}
