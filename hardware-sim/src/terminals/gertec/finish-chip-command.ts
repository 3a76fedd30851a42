import { fields as encodeFields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { type FcxOption, formatFcxResult, parseFcxOption } from '@tillbridge/wire/terminals/abecs/results.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { completeContact, type HostOutcome, maintainCard } from '../../kernel/contact-transaction.js';
import { KernelError } from '../../kernel/kernel-error.js';
import type {
  ChipTransaction,
  CommandHandler,
  ContactDecision,
  DeviceAnswer,
  DeviceContext,
  DeviceRequest,
} from './device-context.js';
import { emvDataFor } from './emv-output.js';
import { StatusError } from './failure-statuses.js';
import { readEmvData } from './transaction-inputs.js';

type Contact = Extract<ChipTransaction, { face: 'contact' }>;

/** FCX: the issuer's answer, or the news that there is none; the second cryptogram (ABECS 2.12 §6.9.4). */
export const finishChip: CommandHandler = async (device, request) => {
  const { transaction } = device.session;
  if (!transaction || transaction.decided === undefined || transaction.finished)
    throw new StatusError('ST_INVCALL');
  const option = parseFcxOption(request.fields.text('SPE_FCXOPT') ?? '');
  if (option !== 'unable-to-go-online' && !request.fields.has('SPE_ARC')) throw new StatusError('ST_MANDAT');
  transaction.finished = true;
  device.ui.setState('reading');
  if (transaction.face === 'tap') return tapAnswer(device, request, transaction, option);
  return transaction.decided.first.cryptogram === 'ARQC'
    ? complete(request, transaction, transaction.decided, option)
    : endedOffline(request, transaction, transaction.decided, option);
};

function outcomeOf({ fields }: DeviceRequest, option: FcxOption): HostOutcome {
  if (option === 'unable-to-go-online') return { kind: option };
  return { kind: option, responseCode: fields.text('SPE_ARC') ?? '', issuerObjects: readEmvData(fields) };
}

async function complete(
  request: DeviceRequest,
  { open }: Contact,
  { parameters, forceOnline }: ContactDecision,
  option: FcxOption,
): Promise<DeviceAnswer> {
  const end = await completeContact(open, parameters, outcomeOf(request, option), forceOnline);
  const tagList = request.fields.bytes('SPE_TAGLIST');
  const emvData = tagList && emvDataFor(tagList, open.data);
  return fcxAnswer(end.decision === 'approved', emvData, end.scriptResults);
}

/** @param emvData undefined where the answer has none */
function fcxAnswer(
  approved: boolean,
  emvData: Uint8Array | undefined,
  scriptResults: Uint8Array = Buffer.alloc(0),
): DeviceAnswer {
  return encodeParameters(
    encodeFields({
      PP_FCXRES: formatFcxResult(approved ? 'approved' : 'declined'),
      ...(emvData && { PP_EMVDATA: emvData }),
      ...(scriptResults.length > 0 && { PP_ISRESULTS: scriptResults }),
    }),
  );
}

/** The card decided in GOX; scripts may still run, and nothing the card does fails the command (§6.9.4.1). */
async function endedOffline(
  request: DeviceRequest,
  { open }: Contact,
  { first }: ContactDecision,
  option: FcxOption,
): Promise<DeviceAnswer> {
  const approved = first.cryptogram === 'TC' && option === 'approved';
  return fcxAnswer(approved, undefined, await maintain(request, open));
}

async function maintain({ fields }: DeviceRequest, open: Contact['open']): Promise<Buffer> {
  try {
    return await maintainCard(open, readEmvData(fields));
  } catch (error) {
    if (error instanceof CardCommunicationError || error instanceof KernelError) return Buffer.alloc(0);
    throw error;
  }
}

/**
 * A tap was decided at once: the device repeats the host's decision, and has no object for the tag list (§6.9.4.4). A captured device
 * gives the objects of GOX again.
 */
function tapAnswer(
  { form }: DeviceContext,
  { fields }: DeviceRequest,
  { decided, open }: Extract<ChipTransaction, { face: 'tap' }>,
  option: FcxOption,
): DeviceAnswer {
  const approved = option === 'approved' && decided !== 'declined';
  const tagList = fields.bytes('SPE_TAGLIST');
  const again = form === 'captured' ? tagList && emvDataFor(tagList, open.data) : tagList && Buffer.alloc(0);
  return fcxAnswer(approved, again);
}
