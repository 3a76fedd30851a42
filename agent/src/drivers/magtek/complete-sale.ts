import { OUTCOMES } from '@tillbridge/wire/terminals/magtek/notifications.js';
import { encodeResume } from '@tillbridge/wire/terminals/magtek/resume-transaction.js';
import { PORT_CLOSED } from '../core/command-link.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { finalOutcome, issuerObjects } from '../core/emv-data.js';
import { andThen, attempt, failed, isFailed, type Result } from '../core/result.js';
import { cryptogramOf, type DeviceObject, finalObjects, readObject } from './card-data.js';
import { COMPLETE_TIMEOUT_MS } from './limits.js';
import type { MmsLink } from './link.js';
import { nextNotice } from './liveness.js';
import type { Notice, Notices } from './notices.js';
import { hintOf, parametersOf } from './replies.js';

/**
 * Tag 8A where the issuer was not reached. The protocol lists no code for it (from public sources incomplete); by
 * default the device uses this one where a host answers late. With it the card declines.
 */
const UNABLE_TO_GO_ONLINE = 'Z3';

/** Parameters of RESUME TRANSACTION: response code, authentication data, scripts. */
function resumeParameters(result: OnlineResult, { object }: DeviceObject): Result<Buffer> {
  return andThen(issuerObjects(result, UNABLE_TO_GO_ONLINE), (objects) =>
    attempt('RESUME TRANSACTION', () => encodeResume({ serial: object.serial, objects }), 'data-too-long'),
  );
}

/** What a transaction ended with. */
interface End {
  readonly approved: boolean;
  readonly batch: DeviceObject | undefined;
}

/**
 * Gives the device the issuer's answer and waits for the end. A request that comes again with the same cryptogram is the
 * one that was answered; after its last request the device ends without the issuer.
 */
export async function completeSale(
  link: MmsLink,
  notices: Notices,
  request: DeviceObject,
  result: OnlineResult,
): Promise<CompleteOutcome> {
  const parameters = resumeParameters(result, request);
  if (isFailed(parameters)) return parameters;
  const reply = await link.request('resumeTransaction', parameters);
  // A device that did not wait has reported its end already.
  const isOver = hintOf(reply) === 'no-transaction';
  if (!isOver) {
    const resumed = parametersOf('resumeTransaction', reply);
    if (isFailed(resumed)) return resumed;
  }
  const end = await awaitEnd(link, notices, request, isOver ? 0 : COMPLETE_TIMEOUT_MS);
  return andThen(end, (ended) => outcomeOf(ended, result));
}

async function awaitEnd(
  link: MmsLink,
  notices: Notices,
  request: DeviceObject,
  timeoutMs: number,
): Promise<Result<End>> {
  const cryptogram = cryptogramOf(request);
  let batch: DeviceObject | undefined;
  for (;;) {
    const notice = await nextNotice(link, notices, timeoutMs);
    if (notice === 'gone') return PORT_CLOSED;
    if (typeof notice === 'string')
      return failed('terminal-silent', 'RESUME TRANSACTION: the terminal reports no end');
    if (isFailed(notice)) return notice;
    if (notice.kind === 'complete') return endOf(notice, batch);
    const problem = noticeProblem(notice);
    if (problem) return problem;
    if (notice.kind !== 'update') continue;
    if (notice.update.what === 'requestData' || notice.update.what === 'batchData') {
      const read = readObject(notice.object);
      if (isFailed(read)) return read;
      if (notice.update.what === 'batchData') batch = read;
      else if (cryptogramOf(read) !== cryptogram)
        return failed('protocol-error', 'the terminal requests an answer for another card than was answered');
    }
  }
}

/** What ends a sale in any wait. */
export function noticeProblem(notice: Notice): Result<undefined> {
  switch (notice.kind) {
    case 'reset':
      return failed('terminal-gone', 'the terminal was reset');
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
): Result<End> {
  switch (outcome) {
    case 'approved':
    case 'declined':
    case 'completedDeclined':
      return { approved: outcome === 'approved', batch };
    case 'failed':
      return failed('card-removed', 'the card was gone or failed before its second cryptogram');
    default:
      return failed('card-error', `the transaction ended: ${OUTCOMES[outcome].meaning}`);
  }
}

/** An approval needs the card and the issuer, or only the card where the issuer was not reached. */
function outcomeOf({ approved, batch }: End, result: OnlineResult): CompleteOutcome {
  if (!batch) return failed('protocol-error', 'the transaction ended without the data of its end');
  const approval = approved && result.kind !== 'declined';
  return finalOutcome(approval ? 'approved' : 'declined', finalObjects(batch));
}
