import { type CommandName, commandTitle } from '@tillbridge/protocol/terminals/magtek/commands.js';
import { type StatusHint, statusOf, statusText } from '@tillbridge/protocol/terminals/magtek/statuses.js';
import type { DriverFailure } from '../core/driver.js';
import { failed, isFailed, type Result } from '../core/result.js';
import type { Reply } from './link.js';

const FAILURES: Readonly<Record<StatusHint, DriverFailure>> = {
  ok: 'internal',
  'host-error': 'protocol-error',
  'wrong-state': 'protocol-error',
  'no-transaction': 'protocol-error',
  busy: 'terminal-busy',
  offline: 'key-missing',
  tampered: 'tampered',
  'key-missing': 'key-missing',
  'low-battery': 'internal',
  'device-error': 'internal',
};

/** What a response's status asks for, or why there was none. */
export function hintOf(reply: Reply): Result<StatusHint> {
  return isFailed(reply) ? reply : statusOf(reply.status).hint;
}

/** The parameters of a command that must succeed. */
export function parametersOf(command: CommandName, reply: Reply): Result<Buffer> {
  if (isFailed(reply)) return reply;
  const { status, parameters } = reply;
  const { hint, meaning } = statusOf(status);
  if (hint === 'ok') return parameters;
  return failed(FAILURES[hint], `${commandTitle(command)} answered ${statusText(status)}: ${meaning}`);
}
