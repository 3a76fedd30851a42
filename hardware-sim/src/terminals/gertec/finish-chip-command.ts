import { fields as encodeFields } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import { encodeParameters } from '@tillbridge/protocol/terminals/abecs/parameters.js';
import {
  type FcxOption,
  formatFcxResult,
  parseFcxOption,
} from '@tillbridge/protocol/terminals/abecs/results.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import {
  type Completion,
  completeContact,
  type HostOutcome,
  maintainCard,
} from '../../kernel/contact-transaction.js';
import { KernelError } from '../../kernel/kernel-error.js';
import type {
  ChipTransaction,
  CommandHandler,
  ContactDecision,
  DeviceAnswer,
  DeviceRequest,
} from './device-context.js';
import { emvDataFor } from './emv-output.js';
import { StatusError } from './status-error.js';
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
  if (transaction.face === 'tap') return tapAnswer(request, transaction, option);
  const decided = transaction.decided;
  return decided.first.cryptogram === 'ARQC'
    ? fcxAnswer(request, transaction, await complete(request, transaction, decided, option))
    : endedOffline(request, transaction, decided, option);
};

function outcomeOf({ fields }: DeviceRequest, option: FcxOption): HostOutcome {
  if (option === 'unable-to-go-online') return { kind: option };
  return { kind: option, responseCode: fields.text('SPE_ARC') ?? '', issuerObjects: readEmvData(fields) };
}

function complete(
  request: DeviceRequest,
  { open }: Contact,
  { parameters, forceOnline }: ContactDecision,
  option: FcxOption,
): Promise<Completion> {
  return completeContact(open, parameters, outcomeOf(request, option), forceOnline);
}

function fcxAnswer({ fields }: DeviceRequest, { open }: Contact, end: Completion): DeviceAnswer {
  const tagList = fields.bytes('SPE_TAGLIST');
  return encodeParameters(
    encodeFields({
      PP_FCXRES: formatFcxResult(end.decision),
      ...(tagList && { PP_EMVDATA: emvDataFor(tagList, open.data) }),
      ...(end.scriptResults.length > 0 && { PP_ISRESULTS: end.scriptResults }),
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
  const scriptResults = await maintain(request, open);
  return encodeParameters(
    encodeFields({
      PP_FCXRES: formatFcxResult(approved ? 'approved' : 'declined'),
      ...(scriptResults.length > 0 && { PP_ISRESULTS: scriptResults }),
    }),
  );
}

async function maintain({ fields }: DeviceRequest, open: Contact['open']): Promise<Buffer> {
  try {
    return await maintainCard(open, readEmvData(fields));
  } catch (error) {
    if (error instanceof CardCommunicationError || error instanceof KernelError) return Buffer.alloc(0);
    throw error;
  }
}

/** A tap was decided at once: the device repeats the host's word (§6.9.4.4). */
function tapAnswer(
  { fields }: DeviceRequest,
  { decided }: Extract<ChipTransaction, { face: 'tap' }>,
  option: FcxOption,
): DeviceAnswer {
  const approved = option === 'approved' && decided !== 'declined';
  return encodeParameters(
    encodeFields({
      PP_FCXRES: formatFcxResult(approved ? 'approved' : 'declined'),
      ...(fields.has('SPE_TAGLIST') && { PP_EMVDATA: Buffer.alloc(0) }),
    }),
  );
}
