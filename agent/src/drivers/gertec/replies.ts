import { type StatusHint, statusOf } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { type Failed, failed, isFailed, type Result, type SaleEnd, STOPPED_BY_TILL } from '../core/result.js';
import { endOfHint, statusFailures } from '../core/status-failures.js';
import type { Reply } from './link.js';

type Answer = Extract<Reply, { kind: 'ok' }>;

const failureOf = statusFailures<StatusHint>({ 'key-pressed': 'protocol-error' });

/** What an error status means where no retry applies. */
function statusFailure(command: string, status: number): Failed {
  const { hint, name, meaning } = statusOf(status);
  return failed(
    failureOf(hint),
    `${command} answered ${String(status).padStart(3, '0')} ${name}: ${meaning}`,
  );
}

/** The same for a command that a cardholder may end by cancelling or by doing nothing. */
export function cardholderEnd(command: string, status: number): SaleEnd {
  return endOfHint(statusOf(status).hint, false, () => statusFailure(command, status));
}

/** The answer of a command that must succeed. */
export function answerOf(command: string, reply: Reply): Result<Answer> {
  if (isFailed(reply) || reply.kind === 'ok') return reply;
  if (reply.kind === 'status') return statusFailure(command, reply.status);
  return failed('internal', `${command} was cancelled`);
}

/** The answer of a command that till or cardholder may end, or how it ended. */
export function answerOrEnd(command: string, reply: Reply): Answer | SaleEnd {
  if (isFailed(reply) || reply.kind === 'ok') return reply;
  return reply.kind === 'status' ? cardholderEnd(command, reply.status) : STOPPED_BY_TILL;
}
