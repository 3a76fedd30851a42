import type { CryptogramType } from '@tillbridge/wire/emv/cid.js';
import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { fields as encodeFields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { formatGoxResult, type GoxResult } from '@tillbridge/wire/terminals/abecs/results.js';
import { decodeRiskParameters } from '@tillbridge/wire/terminals/abecs/risk-parameters.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { decideContact } from '../../kernel/contact-transaction.js';
import { KernelError } from '../../kernel/kernel-error.js';
import { setAmounts, setOverrides, setParameters } from '../../kernel/terminal-objects.js';
import { numericOf } from '../../kernel/transaction-data.js';
import { chipAccount } from '../core/card-account.js';
import type { EncipheredOnce } from '../core/dukpt-device.js';
import { PinPad } from '../core/pin-pad.js';
import { type AidRecord, parametersOf } from './aid-records.js';
import { offlineAuthenticationOf } from './authority-records.js';
import type {
  ChipTransaction,
  CommandHandler,
  DeviceAnswer,
  DeviceContext,
  DeviceRequest,
} from './device-context.js';
import { emvDataFor } from './emv-output.js';
import { StatusError } from './failure-statuses.js';
import { askForPin } from './pin-entry.js';
import { option, readEmvData, readNamedTransaction } from './transaction-inputs.js';

const METHOD_DUKPT_TDES = '3';
const DEFAULT_PIN_SECONDS = 60;
/** Places in SPE_GOXOPT. */
const EXCEPTION_LIST = 0;
const NO_OFFLINE_APPROVAL = 1;
const NO_PIN_BYPASS = 2;
const DECISIONS: Readonly<Record<CryptogramType, GoxResult['decision']>> = {
  TC: 'approved-offline',
  AAC: 'declined',
  ARQC: 'online',
  RFU: 'declined',
};

/** GOX: cardholder, risk and the first cryptogram (ABECS 2.12 §6.9.3). */
export const goOnChip: CommandHandler = async (device, request) => {
  const { session, ui } = device;
  const { transaction } = session;
  if (!transaction || transaction.decided !== undefined) throw new StatusError('ST_INVCALL');
  const acquirer = request.fields.text('SPE_ACQREF');
  const record = transaction.records.find((candidate) => candidate.acquirer === acquirer);
  if (!record) throw new TerminalFormatError('SPE_ACQREF', 'must be one that GCX named');
  ui.setState('reading');
  try {
    const answer =
      transaction.face === 'contact'
        ? await decideInserted(device, request, transaction, record)
        : await decideTapped(device, request, transaction);
    ui.setState(answer.result.decision === 'online' ? 'online' : 'reading');
    return goxAnswer(request, transaction, answer);
  } catch (error) {
    if (error instanceof KernelError && error.code === 'fallback') session.iccStatus = 'fallback-allowed';
    ui.clear();
    throw error;
  }
};

interface Decided {
  readonly result: GoxResult;
  readonly pin: EncipheredOnce | undefined;
}

function goxAnswer(
  { fields }: DeviceRequest,
  { open }: ChipTransaction,
  { result, pin }: Decided,
): DeviceAnswer {
  const tagList = fields.bytes('SPE_TAGLIST');
  return encodeParameters(
    encodeFields({
      PP_GOXRES: formatGoxResult(result),
      ...(pin && { PP_PINBLK: pin.data, PP_KSN: pin.ksn }),
      ...(tagList && { PP_EMVDATA: emvDataFor(tagList, open.data) }),
    }),
  );
}

async function decideInserted(
  device: DeviceContext,
  request: DeviceRequest,
  transaction: Extract<ChipTransaction, { face: 'contact' }>,
  record: AidRecord,
): Promise<Decided> {
  const { fields } = request;
  const { data } = transaction.open;
  const parameters = parametersOf(record, 'contact', device.serial);
  // From here on the acquirer's own record counts, then what the host names anew (ABECS 2.12 §6.9.3.1).
  const overrides = readEmvData(fields);
  setParameters(data, parameters);
  takeNewInputs(request, transaction, overrides);
  const options = fields.text('SPE_GOXOPT');
  const risk = fields.bytes('SPE_TRMPAR');
  const forceOnline = option(options, NO_OFFLINE_APPROVAL);
  const entry = pinPad(device, request, transaction);
  const first = await decideContact(transaction.open, {
    parameters,
    risk: risk && decodeRiskParameters(risk),
    cardholder: entry,
    offlineAuthentication: offlineAuthenticationOf(device.tables.records, record),
    onExceptionList: option(options, EXCEPTION_LIST),
    forceOnline,
    random: device.random,
  });
  transaction.decided = { first, parameters, forceOnline };
  const { verification, cryptogram } = first;
  return {
    result: {
      decision: DECISIONS[cryptogram],
      signature: verification.signature,
      pin: verification.pin,
      verifiedOnDevice: false,
    },
    pin: verification.pin === 'captured-online' ? entry.captured : undefined,
  };
}

function takeNewInputs(
  { fields }: DeviceRequest,
  { open: { data } }: ChipTransaction,
  overrides: readonly TlvNode[],
): void {
  const named = readNamedTransaction(fields);
  if (fields.has('SPE_AMOUNT')) setAmounts(data, named.amountMinor, named.cashbackMinor);
  if (fields.has('SPE_TRNTYPE')) data.set('9C', Buffer.from([named.transactionType]));
  const currency = fields.text('SPE_TRNCURR');
  if (currency !== undefined) data.set('5F2A', Buffer.from(currency.padStart(4, '0'), 'hex'));
  setOverrides(data, overrides);
}

/** The tap is over: amount and type cannot change, a PIN can still be requested (ABECS 2.12 §6.9.3.2). */
async function decideTapped(
  device: DeviceContext,
  request: DeviceRequest,
  transaction: Extract<ChipTransaction, { face: 'tap' }>,
): Promise<Decided> {
  const { data, cryptogram, verification } = transaction.open;
  const { amountMinor, transactionType } = readNamedTransaction(request.fields);
  const changed =
    (request.fields.has('SPE_AMOUNT') && amountMinor !== numericOf(data.get('9F02'))) ||
    (request.fields.has('SPE_TRNTYPE') && transactionType !== data.get('9C')?.[0]);
  if (changed) throw new TerminalFormatError('SPE_AMOUNT', 'cannot change after a tap');
  const entry = pinPad(device, request, transaction);
  const captured =
    verification === 'online-pin' && cryptogram === 'ARQC' && (await entry.askOnlinePin()) === 'captured';
  const decision = DECISIONS[cryptogram];
  transaction.decided = decision;
  return {
    result: {
      decision,
      signature: verification === 'signature',
      pin: captured ? 'captured-online' : 'none',
      verifiedOnDevice: false,
    },
    pin: captured ? entry.captured : undefined,
  };
}

/** The PIN pad as the kernel sees it; a card is warned of, and a key of another method refused. */
function pinPad(
  device: DeviceContext,
  { fields, signal }: DeviceRequest,
  transaction: ChipTransaction,
): PinPad {
  const { notify, pinKey } = device;
  const ask = async (): Promise<Buffer | 'bypass'> => {
    const prompt = fields.text('SPE_DSPMSG')?.split('\r') ?? ['DIGITE A SENHA'];
    const seconds = fields.number('SPE_TIMEOUT') ?? DEFAULT_PIN_SECONDS;
    const noBypass = option(fields.text('SPE_GOXOPT'), NO_PIN_BYPASS);
    for (;;) {
      const entry = await askForPin(device, prompt, seconds * 1000, signal);
      // Where the host forbids an empty entry the pad prompts again.
      if (entry !== 'bypass' || !noBypass) return entry;
    }
  };
  return new PinPad({
    forCard(triesLeft) {
      if (triesLeft === 1) notify('PROX. ERRO', 'BLOQUEIA SENHA');
      return ask();
    },
    async forIssuer() {
      const known =
        fields.text('SPE_MTHDPIN') === METHOD_DUKPT_TDES &&
        Number(fields.text('SPE_KEYIDX')) === pinKey.index;
      if (!known) throw new StatusError('ST_ERRKEY');
      const digits = await ask();
      return digits === 'bypass'
        ? digits
        : pinKey.key.encipherPin(digits, chipAccount(transaction.open.data).pan);
    },
  });
}
