import { TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { decodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { STATUSES } from '@tillbridge/wire/terminals/verifone/statuses.js';
import {
  MERCHANT_INFO,
  STATUS_INFO,
  TAGS,
  UPDATABLE_TAGS,
} from '@tillbridge/wire/terminals/verifone/tags.js';
import { ALWAYS_ONLINE } from '../../kernel/terminal-parameters.js';
import type { CardDecision } from '../core/payment-core.js';
import { ENTER_PIN, type PinPrompt } from '../core/pin-pad.js';
import type { ContactTransaction } from './card-store.js';
import type { DeviceContext, Handler, HandlerAnswer } from './device-context.js';
import { DECISIONS, resultObjects, selectionObjects } from './emv-output.js';
import { StatusError } from './status-error.js';
import { criticalScripts, hostOutcome, isSet, saleInputs } from './transaction-inputs.js';

/** DF36: byte 3 bit 1, callbacks of merchant information. */
const MERCHANT_CALLBACK_BYTE = 2;
const MERCHANT_CALLBACK = 0x01;
/** DF3B: a tag that may not be changed is an error. */
const REFUSE_OTHER_TAGS = 0x01;
const SCRIPT_RESULT_BYTES = 5;

/** CT INIT FRAMEWORK. */
export const ctInit: Handler = ({ flags }) => {
  flags.contactReady = true;
  return {};
};

/** SMART CARD ACTIVATE: power and reset of the chip in the slot. */
export const cardActivate: Handler = async ({ ui }) => {
  const { inserted } = ui;
  if (!inserted) throw new StatusError('cardRemoved');
  const answer = await ui.chipOf(inserted).reset();
  if (!answer) throw new StatusError('cardErrorChip');
  return { objects: [tlv(TAGS.answerToReset, answer)] };
};

/** CT START TRANSACTION: chooses the application and reads the chip. */
export const ctStart: Handler = async ({ core, ui, flags, store }, { objects, signal }) => {
  if (!flags.contactReady) throw new StatusError('emvInternal');
  const sale = saleInputs(objects);
  const { inserted } = ui;
  if (!inserted) throw new StatusError('cardRemoved');
  store.contact = undefined;
  ui.setState('reading');
  ui.show(['PLEASE WAIT']);
  const read = await core.read(inserted, sale);
  signal.throwIfAborted();
  if (read.kind !== 'chip') throw new StatusError('emvInternal');
  store.keep(read);
  store.contact = {
    phase: 'started',
    floorLimitMinor: 0,
    forceOnline: isSet(objects, TAGS.forceOnline) || isSet(objects, TAGS.onlineSwitch),
    tellsMerchant: false,
  };
  if (isSet(objects, TAGS.forceOnline)) core.data?.markTvr(TVR.merchantForcedOnline, 'the host forces it');
  return { objects: selectionObjects(read.data) };
};

/** CT UPDATE TXN TAGS: the floor limit, and objects of the terminal. */
export const ctUpdateTags: Handler = ({ core, store }, { objects }) => {
  const transaction = phase(store.contact, 'started');
  const strict = ((findTlv(objects, TAGS.updateOptions)?.at(-1) ?? 0) & REFUSE_OTHER_TAGS) !== 0;
  const updates = decodeTlv(findTlv(objects, TAGS.updateObjects) ?? new Uint8Array());
  for (const update of updates) {
    if (!UPDATABLE_TAGS.has(update.tag) || !('value' in update)) {
      if (strict) throw new StatusError('emvParameter');
      continue;
    }
    core.data?.set(update.tag, update.value);
    if (update.tag === '9F1B') store.contact = { ...transaction, floorLimitMinor: binary(update.value) };
  }
  return {};
};

function binary(value: Uint8Array): number {
  return Number.parseInt(Buffer.from(value).toString('hex') || '0', 16);
}

/** @throws StatusError emvBadSequence when the transaction does not stand there */
function phase(
  transaction: ContactTransaction | undefined,
  wanted: ContactTransaction['phase'],
): ContactTransaction {
  if (transaction?.phase !== wanted) throw new StatusError('emvBadSequence');
  return transaction;
}

/** CT CONTINUE OFFLINE: up to the first cryptogram, PIN included. */
export const ctOffline: Handler = async (ctx, { objects, signal }) => {
  const { core, store, ui } = ctx;
  const transaction = phase(store.contact, 'started');
  store.contact = { ...transaction, phase: 'ended', tellsMerchant: tellsMerchant(objects) };
  const sequence = findTlv(objects, '9F41');
  if (sequence) core.data?.set('9F41', sequence);
  const decision = await core.decide(
    {
      risk: { ...ALWAYS_ONLINE, floorLimitMinor: transaction.floorLimitMinor },
      forceOnline: transaction.forceOnline,
      prompt: pinPrompt(ctx),
    },
    signal,
  );
  await ctx.requests.answered();
  const online = decision.cryptogram === 'ARQC';
  store.contact = { ...transaction, phase: online ? 'online' : 'ended' };
  store.pin = decision.pin;
  ui.setState(online ? 'online' : 'idle');
  return decided(ctx, decision);
};

function tellsMerchant(objects: readonly TlvNode[]): boolean {
  const options = findTlv(objects, TAGS.transactionOptions);
  return ((options?.[MERCHANT_CALLBACK_BYTE] ?? 0) & MERCHANT_CALLBACK) !== 0;
}

function pinPrompt({ store, requests }: DeviceContext): PinPrompt {
  return {
    ...ENTER_PIN,
    onAsk: () => {
      if (!store.contact?.tellsMerchant) return;
      requests.ask([tlv(TAGS.merchantInfo, [tlv(TAGS.merchantInfoCode, Buffer.of(MERCHANT_INFO.pinInput))])]);
    },
  };
}

function decided({ core, store }: DeviceContext, decision: CardDecision): HandlerAnswer {
  const { data } = core;
  const { card } = store;
  if (!data || !card) throw new StatusError('emvInternal');
  const info = (decision.pin ? STATUS_INFO.onlinePin : 0) | (decision.signature ? STATUS_INFO.signature : 0);
  return { sw: DECISIONS[decision.cryptogram], objects: resultObjects(data, card.account, info) };
}

/** CT CONTINUE ONLINE: the issuer's answer, scripts, the second cryptogram. */
export const ctOnline: Handler = async ({ core, store, ui }, { objects }) => {
  const transaction = phase(store.contact, 'online');
  const outcome = hostOutcome(objects);
  store.contact = { ...transaction, phase: 'ended' };
  ui.setState('reading');
  const { data } = core;
  const { card } = store;
  if (!data || !card) throw new StatusError('emvInternal');
  const end = await core.complete(outcome);
  ui.setState('idle');
  const critical = criticalScripts(objects) * SCRIPT_RESULT_BYTES;
  const results = [
    [TAGS.criticalScriptResults, end.scriptResults.subarray(0, critical)],
    [TAGS.uncriticalScriptResults, end.scriptResults.subarray(critical)],
  ] as const;
  return {
    sw: end.decision === 'approved' ? STATUSES.emvTc.code : STATUSES.emvAac.code,
    objects: [
      ...resultObjects(data, card.account, 0),
      ...results.flatMap(([tag, value]) => (value.length > 0 ? [tlv(tag, value)] : [])),
    ],
  };
};

/** CT END TRANSACTION. */
export const ctEnd: Handler = ({ store, core, ui }) => {
  store.contact = undefined;
  core.forget();
  ui.setState('idle');
  return {};
};
