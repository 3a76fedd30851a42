import type { TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import { COMMANDS, type CommandName } from '@tillbridge/protocol/terminals/miura/commands.js';
import { type StatusHint, statusOf } from '@tillbridge/protocol/terminals/miura/statuses.js';
import { TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
import type { DriverFailure } from '../core/driver.js';
import { readTlv } from '../core/emv-data.js';
import { type Failed, failed, isFailed, type Result } from '../core/result.js';
import type { Reply } from './link.js';

const FAILURES: Readonly<Record<StatusHint, DriverFailure>> = {
  ok: 'internal',
  'host-error': 'protocol-error',
  'wrong-state': 'protocol-error',
  'no-card': 'card-removed',
  'card-error': 'card-error',
  'swipe-allowed': 'card-error',
  cancelled: 'internal',
  'timed-out': 'internal',
  inserted: 'internal',
  swiped: 'internal',
  'insert-or-swipe': 'card-error',
  'other-card': 'card-error',
  'key-missing': 'key-missing',
  'device-error': 'internal',
};

/** What an error status means where nothing else follows from it. */
export function statusFailure(command: CommandName, sw: number): Failed {
  const { hint, meaning } = statusOf(sw);
  const code = sw.toString(16).toUpperCase().padStart(4, '0');
  return failed(FAILURES[hint], `${COMMANDS[command].name} answered ${code}: ${meaning}`);
}

/** The data of a command that must succeed. */
export function dataOf(command: CommandName, reply: Reply): Result<Buffer> {
  if (isFailed(reply)) return reply;
  const { data, sw } = reply;
  return statusOf(sw).hint === 'ok' ? data : statusFailure(command, sw);
}

/** The objects of a command that must succeed, those of E1 or the bare ones. */
export function objectsOf(command: CommandName, reply: Reply): Result<readonly TlvNode[]> {
  const data = dataOf(command, reply);
  if (isFailed(data)) return data;
  const nodes = readTlv(COMMANDS[command].name, data);
  if (isFailed(nodes)) return nodes;
  return nodes.flatMap((node) =>
    node.tag === TEMPLATES.responseData && 'children' in node ? node.children : [node],
  );
}
