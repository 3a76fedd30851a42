import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { present } from '@tillbridge/wire/present.js';
import { displayLine } from '@tillbridge/wire/terminals/abecs/classic.js';
import { fields as encodeFields, type FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import {
  formatAidTableInfo,
  formatCardType,
  formatIccStatus,
  type IccStatus,
} from '@tillbridge/wire/terminals/abecs/results.js';
import {
  incompleteTrack1,
  incompleteTrack2,
  maskPan,
  parsePanMask,
} from '@tillbridge/wire/terminals/abecs/tracks.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { openContact, type StartInputs } from '../../kernel/contact-transaction.js';
import { readTap } from '../../kernel/contactless-transaction.js';
import { allowsMagstripe, KernelError } from '../../kernel/kernel-error.js';
import type { TransactionData } from '../../kernel/transaction-data.js';
import { chipAccount, digits } from '../core/card-account.js';
import { nextSequence } from '../core/payment-core.js';
import { amountText } from '../core/sale-inputs.js';
import type { Presentation } from '../core/terminal-ui.js';
import {
  type AidRecord,
  aidOf,
  allowsTap,
  candidateRecords,
  parametersOf,
  tapCvmLimit,
} from './aid-records.js';
import type { CommandHandler, DeviceAnswer, DeviceContext, DeviceRequest } from './device-context.js';
import { emvDataFor } from './emv-output.js';
import { StatusError } from './failure-statuses.js';
import { option, readEmvData, readNamedTransaction } from './transaction-inputs.js';

/** Candidate records that a device handles in one selection (ABECS 2.12 §6.1.2). */
const MAX_CANDIDATES = 128;
/** Patience where the antenna is on and the host names no time (ABECS 2.12 §6.9.1). */
const TAP_TIMEOUT_MS = 120_000;

/** GCX: waits for a card and reads it up to the point where the cardholder comes in (ABECS 2.12 §6.9.1). */
export const getCard: CommandHandler = async (device, request) => {
  const { session, ui } = device;
  const { iccStatus } = session;
  session.tracks = undefined;
  session.transaction = undefined;
  session.iccStatus = 'ok';
  const card = await askForCard(device, request);
  try {
    if (card.presentation.how === 'swipe')
      return swiped(device, request.fields, card.presentation, iccStatus);
    ui.show(['PROCESSANDO...']);
    return card.presentation.how === 'tap'
      ? await tapped(device, request, card)
      : await inserted(device, request, card);
  } catch (error) {
    session.iccStatus = iccStatusAfter(error);
    throw error;
  }
};

interface GivenCard {
  readonly presentation: Presentation;
  readonly candidates: readonly AidRecord[];
}

async function askForCard(device: DeviceContext, { fields, signal }: DeviceRequest): Promise<GivenCard> {
  const { ui, tables } = device;
  const candidates = candidateRecords(tables.records, {
    list: fields.text('SPE_AIDLIST'),
    acquirer: fields.text('SPE_ACQREF'),
    types: fields.text('SPE_APPTYPE'),
  });
  if (candidates.length > MAX_CANDIDATES) throw new StatusError('ST_ERRMAXAID');
  const options = fields.text('SPE_GCXOPT');
  const { amountMinor } = readNamedTransaction(fields);
  const tap = option(options, 0) && candidates.some((record) => allowsTap(record, amountMinor));
  if (!ui.inserted) ui.show(invitation(fields, tap, option(options, 1) ? 0 : amountMinor));
  const seconds = fields.number('SPE_TIMEOUT');
  const timeoutMs = seconds === undefined ? (tap ? TAP_TIMEOUT_MS : undefined) : seconds * 1000;
  const modes: PresentMode[] = tap ? ['insert', 'swipe', 'tap'] : ['insert', 'swipe'];
  const presentation = await ui.waitForCard(new Set(modes), timeoutMs, signal);
  if (presentation === 'timeout') throw new StatusError('ST_TIMEOUT');
  if (presentation === 'cancel-key') throw new StatusError('ST_CANCEL');
  ui.setState('reading');
  ui.clear();
  return { presentation, candidates };
}

function invitation(fields: FieldReader, tap: boolean, amountMinor: number): string[] {
  const message = fields.text('SPE_DSPMSG');
  if (message !== undefined) return message.split('\r');
  const currency = fields.text('SPE_TRNCURR');
  const lines = tap ? ['APROXIME, INSIRA', 'OU PASSE CARTAO'] : ['INSIRA OU PASSE', 'O CARTAO'];
  return amountMinor === 0
    ? lines
    : [`VALOR: ${amountText({ amountMinor, ...present({ currency }) }).replace('.', ',')}`, ...lines];
}

/** PP_ICCSTAT of a later swipe (ABECS 2.12 §6.9.1.1). */
function iccStatusAfter(error: unknown): IccStatus {
  if (error instanceof CardCommunicationError) return 'fallback-allowed';
  if (error instanceof KernelError && error.code === 'no-application') return 'application-not-supported';
  return allowsMagstripe(error) ? 'fallback-allowed' : 'ok';
}

/** A mask as the host set it; without one nothing is hidden. */
export function masker(fields: FieldReader): (text: string) => string {
  const mask = fields.text('SPE_PANMASK');
  return mask === undefined ? (text) => text : (text) => maskPan(text, parsePanMask(mask));
}

function swiped(
  device: DeviceContext,
  fields: FieldReader,
  { card }: Presentation,
  iccStatus: IccStatus,
): DeviceAnswer {
  const mask = masker(fields);
  const { track1, track2 } = card.magstripe ?? {};
  const pan = track2?.split('=')[0];
  device.session.tracks = { pan, fromChip: false, track1, track2 };
  return encodeParameters(
    encodeFields({
      PP_CARDTYPE: formatCardType('magstripe'),
      PP_ICCSTAT: formatIccStatus(iccStatus),
      ...(track1 !== undefined && { PP_TRK1INC: mask(incompleteTrack1(track1)) }),
      ...(track2 !== undefined && { PP_TRK2INC: mask(incompleteTrack2(track2)) }),
    }),
  );
}

async function inserted(
  device: DeviceContext,
  request: DeviceRequest,
  given: GivenCard,
): Promise<DeviceAnswer> {
  const card = device.ui.chipOf(given.presentation);
  const inputs = startInputs(device, request.fields, given.candidates, 'contact');
  const open = await openContact(card, inputs);
  request.signal.throwIfAborted();
  const records = recordsFor(given.candidates, open.application.terminalAid);
  device.session.transaction = { face: 'contact', open, records, decided: undefined, finished: false };
  return chipAnswer(device, request.fields, open.data, open.application.label, records, 'contact');
}

async function tapped(
  device: DeviceContext,
  request: DeviceRequest,
  given: GivenCard,
): Promise<DeviceAnswer> {
  if (given.presentation.collision) throw new StatusError('ST_CTLSMULTIPLE');
  const { amountMinor } = readNamedTransaction(request.fields);
  const candidates = given.candidates.filter((record) => allowsTap(record, amountMinor));
  const card = device.ui.chipOf(given.presentation);
  const inputs = startInputs(device, request.fields, candidates, 'tap');
  const open = await readTap(card, inputs, (aid) => ({
    cvmLimitMinor: Math.min(...recordsFor(candidates, aid).map(tapCvmLimit)),
  }));
  request.signal.throwIfAborted();
  if (open.mode === 'magstripe') return tappedMagstripe(device, request.fields, open.data);
  const records = recordsFor(candidates, open.application.terminalAid);
  device.session.transaction = { face: 'tap', open, records, decided: undefined, finished: false };
  return chipAnswer(device, request.fields, open.data, open.application.label, records, 'contactless');
}

/** A tap in magstripe mode is answered as a magstripe; there is nothing for GOX to decide (ABECS 2.12 §6.9.1.3). */
function tappedMagstripe(device: DeviceContext, fields: FieldReader, data: TransactionData): DeviceAnswer {
  const { pan, track2 = '' } = chipAccount(data);
  device.session.tracks = { pan, fromChip: false, track1: undefined, track2 };
  return encodeParameters(
    encodeFields({
      PP_CARDTYPE: formatCardType('contactless-magstripe'),
      PP_TRK2INC: masker(fields)(incompleteTrack2(track2)),
    }),
  );
}

function recordsFor(candidates: readonly AidRecord[], terminalAid: string): AidRecord[] {
  return candidates.filter((record) => aidOf(record) === terminalAid);
}

function startInputs(
  device: DeviceContext,
  fields: FieldReader,
  candidates: readonly AidRecord[],
  face: 'contact' | 'tap',
): StartInputs {
  const named = readNamedTransaction(fields);
  const currency = fields.text('SPE_TRNCURR');
  const overrides: readonly TlvNode[] = readEmvData(fields);
  return {
    transaction: {
      ...named,
      date: fields.text('SPE_TRNDATE') ?? '',
      time: fields.text('SPE_TRNTIME') ?? '',
      ...(currency !== undefined && { currency }),
      sequenceNumber: nextSequence(device.counters),
    },
    aids: [...new Set(candidates.map(aidOf))],
    parametersOf(terminalAid) {
      const [record] = recordsFor(candidates, terminalAid);
      if (!record) throw new StatusError('ST_INTERR');
      return parametersOf(record, face, device.serial);
    },
    overrides,
    random: device.random,
    onDecision: device.onDecision,
  };
}

function chipAnswer(
  device: DeviceContext,
  fields: FieldReader,
  data: TransactionData,
  label: string,
  records: readonly AidRecord[],
  type: 'contact' | 'contactless',
): DeviceAnswer {
  const { ui, session } = device;
  device.notify('SELECIONADO:', displayLine(label));
  ui.show(['SELECIONADO:', label]);
  const { pan, track2 } = chipAccount(data);
  session.tracks = { pan, fromChip: true, track1: undefined, track2 };
  const mask = masker(fields);
  const tagList = fields.bytes('SPE_TAGLIST');
  const country = digits(data.get('5F28'))?.slice(-3);
  const expiry = digits(data.get('5F24'));
  const holder = data.get('5F20');
  return encodeParameters(
    encodeFields({
      PP_CARDTYPE: formatCardType(type),
      PP_AIDTABINFO: formatAidTableInfo(
        records.map(({ acquirer, index, fields: { T1_APPTYPE } }) => ({
          acquirer,
          record: index,
          applicationType: T1_APPTYPE,
        })),
      ),
      PP_PAN: mask(pan),
      PP_PANSEQNO: digits(data.get('5F34')) ?? '00',
      ...(track2 !== undefined && { PP_TRK2INC: mask(incompleteTrack2(track2)) }),
      ...(holder && { PP_CHNAME: Buffer.from(holder).toString('latin1').trimEnd() }),
      PP_LABEL: label.slice(0, 16),
      ...(country !== undefined && { PP_ISSCNTRY: country }),
      ...(expiry !== undefined && { PP_CARDEXP: expiry }),
      ...(tagList && { PP_EMVDATA: emvDataFor(tagList, data) }),
      ...(type === 'contactless' && { PP_DEVTYPE: '00' }),
    }),
  );
}
