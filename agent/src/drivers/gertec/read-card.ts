import { toHex } from '@tillbridge/protocol/bytes.js';
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
import type { CardFacts, StartOutcome } from '../core/driver.js';
import { CARD_TAGS, isTlv, readTlv, tagList } from '../core/emv-data.js';
import { type Failed, failed, STOPPED_BY_TILL } from '../core/result.js';
import {
  afterCardStatus,
  afterSwipe,
  afterUnreadableSwipe,
  type CardAsk,
  type CardNext,
  entryModeOf,
} from './card-attempts.js';
import { decoding } from './command-client.js';
import { oneLine, PROMPT_TEXTS, REMOVE_FOR_SWIPE } from './display-text.js';
import { CARD_HANDLING_MS, MAX_CARD_TIMEOUT_SECONDS, REMOVE_CARD_MS } from './limits.js';
import { cardholderOutcome } from './replies.js';
import { amountText, type SaleContext, TRANSACTION_TYPES, transactionData } from './transaction-request.js';

/** A card that was read by GCX and may be used. */
export interface ReadCard {
  readonly kind: 'card';
  readonly type: CardType;
  readonly facts: CardFacts;
  readonly hasTrack2: boolean;
  readonly serviceCode?: string;
  /** SPE_ACQREF for GOX; absent for a stripe. */
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
  if (!isTlv(nodes)) return nodes;
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
  readonly kind: 'read';
  readonly card: ReadCard;
  readonly iccStatus: IccStatus | undefined;
}

function readAnswer(ctx: SaleContext, ask: CardAsk, fields: FieldReader): GcxAnswer | Failed {
  const type = parseCardType(fields.text('PP_CARDTYPE') ?? '');
  const statusText = fields.text('PP_ICCSTAT');
  const iccStatus = statusText === undefined ? undefined : parseIccStatus(statusText);
  const track2 = fields.text('PP_TRK2INC');
  const track = track2 === undefined ? undefined : readIncompleteTrack2(track2);
  const application = applicationFacts(fields);
  if ('kind' in application) return application;
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
  return { kind: 'read', card, iccStatus };
}

/** Reads the notifications of GCX: the choice of application means that a card is there. */
function watchCard(ctx: SaleContext): (lines: readonly [string, string]) => void {
  return (lines) => {
    ctx.progress({ step: 'reading-card' });
    ctx.progress({ step: 'message', text: oneLine(lines.join(' ')) });
  };
}

function sendGcx(ctx: SaleContext, ask: CardAsk, prompt: string | undefined) {
  const { request } = ctx;
  const seconds = Math.min(MAX_CARD_TIMEOUT_SECONDS, Math.max(1, Math.ceil(request.cardTimeoutMs / 1_000)));
  return ctx.client.abecs(
    'GCX',
    {
      SPE_TRNTYPE: TRANSACTION_TYPES[request.kind],
      SPE_AMOUNT: amountText(request),
      SPE_TRNCURR: ctx.currencyNumber,
      SPE_TRNDATE: request.date,
      SPE_TRNTIME: request.time,
      SPE_GCXOPT: ask.contactless ? '10000' : '00000',
      SPE_PANMASK: formatPanMask(PAN_MASK),
      SPE_EMVDATA: transactionData(request),
      SPE_TAGLIST: tagList(CARD_TAGS),
      SPE_TIMEOUT: seconds,
      ...(prompt !== undefined && { SPE_DSPMSG: prompt }),
    },
    seconds * 1_000 + CARD_HANDLING_MS,
    watchCard(ctx),
  );
}

/** What to do with a card that GCX gave. */
function judge(ctx: SaleContext, { card, iccStatus }: GcxAnswer): CardNext | { readonly kind: 'accept' } {
  if (card.type !== 'magstripe') return { kind: 'accept' };
  if (!card.hasTrack2) return afterUnreadableSwipe(card.ask);
  return afterSwipe(card.ask, card.serviceCode, iccStatus ?? 'ok', ctx.config.magstripeFallback);
}

/** A card whose chip failed must leave the slot before it can be swiped; GCX would read the chip again. */
async function clearSlot(ctx: SaleContext): Promise<StartOutcome | undefined> {
  ctx.progress({ step: 'remove-card' });
  const reply = await ctx.client.classic(
    'RMC',
    { RMC_MSG: displayMessage(...REMOVE_FOR_SWIPE) },
    REMOVE_CARD_MS,
  );
  if (reply.kind === 'ok') return undefined;
  if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
  return reply.kind === 'failed' ? reply : cardholderOutcome('RMC', reply.status);
}

/** Asks for a card until one is read, refused for good, or the sale is stopped. */
export async function readCard(
  ctx: SaleContext,
  first: CardAsk,
  firstPrompt?: string,
): Promise<ReadCard | StartOutcome> {
  let ask = first;
  let prompt = firstPrompt;
  let cleared = false;
  for (;;) {
    if (ctx.stopped()) return STOPPED_BY_TILL;
    if (ask.fallback && !cleared) {
      const problem = await clearSlot(ctx);
      if (problem) return problem;
      cleared = true;
    }
    ctx.progress({ step: 'waiting-for-card' });
    const reply = await sendGcx(ctx, ask, prompt);
    if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
    if (reply.kind === 'failed') return reply;
    const asked = ask;
    const answer =
      reply.kind === 'ok' ? decoding('GCX', () => readAnswer(ctx, asked, reply.fields)) : undefined;
    if (answer?.kind === 'failed') return answer;
    const next = answer
      ? judge(ctx, answer)
      : afterCardStatus(ask, reply.kind === 'status' ? reply.status : 0, ctx.config.magstripeFallback);
    if (next.kind === 'accept' && answer) return answer.card;
    if (next.kind !== 'ask') {
      return reply.kind === 'status'
        ? cardholderOutcome('GCX', reply.status)
        : failed(
            'card-error',
            'the card was asked for too often: its stripe cannot be read or its chip must be used',
          );
    }
    ask = next.ask;
    prompt = PROMPT_TEXTS[next.prompt];
    ctx.progress({ step: 'message', text: oneLine(prompt) });
  }
}
