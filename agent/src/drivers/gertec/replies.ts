import { type StatusHint, statusOf } from '@tillbridge/protocol/terminals/abecs/statuses.js';
import type { DriverFailure, StartOutcome } from '../core/driver.js';
import { cancelled, type Failed, failed, TIMED_OUT } from '../core/result.js';
import type { LinkFailure } from './link-machine.js';

const LINE_FAILURES: Readonly<Record<LinkFailure, readonly [DriverFailure, string]>> = {
  'no-ack': ['terminal-silent', 'the terminal does not confirm commands'],
  rejected: ['protocol-error', 'the terminal refuses every copy of the command as damaged'],
  'no-answer': ['terminal-silent', 'the terminal confirmed the command and never answered'],
  damaged: ['protocol-error', 'every answer of the terminal came damaged'],
  'no-eot': ['terminal-silent', 'the terminal does not confirm cancelling'],
};

/** What a fault of the line means. */
export function lineFailure(reason: LinkFailure, command: string): Failed {
  const [failure, text] = LINE_FAILURES[reason];
  return failed(failure, `${command}: ${text}`);
}

const STATUS_FAILURES: Readonly<Record<StatusHint, DriverFailure>> = {
  ok: 'internal',
  'key-pressed': 'protocol-error',
  cancelled: 'internal',
  'timed-out': 'internal',
  'host-error': 'protocol-error',
  'tables-differ': 'internal',
  'device-error': 'internal',
  'key-missing': 'key-missing',
  busy: 'terminal-busy',
  'data-too-long': 'data-too-long',
  'no-card': 'card-removed',
  'card-error': 'card-error',
  'card-blocked': 'card-blocked',
  'application-not-supported': 'application-not-supported',
  fallback: 'card-error',
  'tap-again': 'card-error',
  'tap-refused': 'card-error',
  'tap-after-phone': 'card-error',
};

/** What an error status means where no retry applies. */
export function statusFailure(command: string, status: number): Failed {
  const spec = statusOf(status);
  const code = String(status).padStart(3, '0');
  return failed(STATUS_FAILURES[spec.hint], `${command} answered ${code} ${spec.name}: ${spec.meaning}`);
}

/** The same for a command that a cardholder may end: cancelling and idling are outcomes of their own. */
export function cardholderOutcome(command: string, status: number): StartOutcome {
  const { hint } = statusOf(status);
  if (hint === 'cancelled') return cancelled(false);
  if (hint === 'timed-out') return TIMED_OUT;
  return statusFailure(command, status);
}
