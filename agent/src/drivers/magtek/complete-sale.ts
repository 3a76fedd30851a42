import { type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { OUTCOMES } from '@tillbridge/protocol/terminals/magtek/notifications.js';
import { encodeResume } from '@tillbridge/protocol/terminals/magtek/resume-transaction.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { ISSUER_TAGS, isTlv, readTlv } from '../core/emv-data.js';
import { responseCodeForCard } from '../core/issuer-answer.js';
import { type Failed, failed } from '../core/result.js';
import { cryptogramOf, type DeviceObject, finalData, readObject } from './card-data.js';
import { COMPLETE_TIMEOUT_MS } from './limits.js';
import type { MmsLink } from './link.js';
import type { Notice, Notices } from './notices.js';
import { hintOf, parametersOf } from './replies.js';

/**
 * Tag 8A where nobody could be reached. The protocol lists no code for it (from public sources incomplete); of its own
 * accord the device uses this one where a host answers later: the card is asked to decline.
 */
const UNABLE_TO_GO_ONLINE = 'Z3';

/** Parameters of RESUME TRANSACTION: response code, authentication data, scripts. */
function resumeParameters(result: OnlineResult, { object }: DeviceObject): Buffer | Failed {
  const unable = result.kind === 'unable-to-go-online';
  const nodes: readonly TlvNode[] | Failed = unable ? [] : readTlv('the issuer data', result.issuerData);
  if (!isTlv(nodes)) return nodes;
  const code = unable ? UNABLE_TO_GO_ONLINE : responseCodeForCard(result);
  const objects = [
    tlv('8A', Buffer.from(code, 'latin1')),
    ...nodes.filter(({ tag }) => ISSUER_TAGS.has(tag)),
  ];
  try {
    return encodeResume({ serial: object.serial, objects });
  } catch (error) {
    if (error instanceof TerminalFormatError) return failed('data-too-long', error.message);
    throw error;
  }
}

/** What a transaction ended with. */
interface End {
  readonly kind: 'end';
  readonly approved: boolean;
  readonly meaning: string;
  readonly batch: DeviceObject | undefined;
}

/**
 * Gives the device the issuer's answer and waits for the end. A request that comes again with the same cryptogram is the
 * one that was answered; the device goes on alone when it has asked often enough.
 */
export async function completeSale(
  link: MmsLink,
  notices: Notices,
  asked: DeviceObject,
  result: OnlineResult,
): Promise<CompleteOutcome> {
  const parameters = resumeParameters(result, asked);
  if (!Buffer.isBuffer(parameters)) return parameters;
  const reply = await link.request('resumeTransaction', parameters);
  // A device that went on alone has told its end already.
  const isOver = hintOf(reply) === 'no-transaction';
  if (!isOver) {
    const resumed = parametersOf('resumeTransaction', reply);
    if (!Buffer.isBuffer(resumed)) return resumed;
  }
  const end = await awaitEnd(notices, asked, isOver ? 0 : COMPLETE_TIMEOUT_MS);
  return end.kind === 'failed' ? end : outcomeOf(end, result);
}

async function awaitEnd(notices: Notices, asked: DeviceObject, timeoutMs: number): Promise<End | Failed> {
  const cryptogram = cryptogramOf(asked);
  let batch: DeviceObject | undefined;
  for (;;) {
    const notice = await notices.next(timeoutMs);
    if (notice === 'timeout' || notice === 'stopped')
      return failed('terminal-silent', 'RESUME TRANSACTION: the terminal tells no end');
    if (notice.kind === 'complete') return endOf(notice, batch);
    const problem = problemOf(notice);
    if (problem) return problem;
    if (notice.kind !== 'update') continue;
    if (notice.update.what === 'requestData' || notice.update.what === 'batchData') {
      const read = readObject(notice.object);
      if (read.kind === 'failed') return read;
      if (notice.update.what === 'batchData') batch = read;
      else if (cryptogramOf(read) !== cryptogram)
        return failed('protocol-error', 'the terminal asks for another card than was answered');
    }
  }
}

function problemOf(notice: Notice): Failed | undefined {
  switch (notice.kind) {
    case 'reset':
      return failed('terminal-gone', 'the terminal was reset');
    case 'gone':
      return failed('terminal-gone', 'the port closed');
    case 'damaged':
      return failed('protocol-error', 'what the terminal sent came damaged');
    case 'unknown-end':
      return failed('internal', `the transaction ended as ${notice.detail}, which is not listed`);
    default:
      return undefined;
  }
}

function endOf(
  { outcome: { outcome } }: Extract<Notice, { kind: 'complete' }>,
  batch: DeviceObject | undefined,
): End | Failed {
  const { meaning } = OUTCOMES[outcome];
  switch (outcome) {
    case 'approved':
    case 'declined':
    case 'completedDeclined':
      return { kind: 'end', approved: outcome === 'approved', meaning, batch };
    case 'failed':
      return failed('card-removed', 'the card was gone or failed before its second cryptogram');
    default:
      return failed('card-error', `the transaction ended: ${meaning}`);
  }
}

/** An approval needs the card's word and the issuer's, or its own where nobody could be reached. */
function outcomeOf({ approved, batch }: End, result: OnlineResult): CompleteOutcome {
  if (!batch) return failed('protocol-error', 'the transaction ended without the data of its end');
  const iccData = finalData(batch);
  if ('kind' in iccData) return iccData;
  return { kind: approved && result.kind !== 'declined' ? 'approved' : 'declined', iccData };
}
