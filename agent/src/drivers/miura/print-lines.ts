import { SPOOL_P1 } from '@tillbridge/wire/terminals/miura/commands.js';
import { STATUSES } from '@tillbridge/wire/terminals/miura/statuses.js';
import type { DeviceOutcome } from '../core/driver.js';
import { isFailed } from '../core/result.js';
import { ask } from './device.js';
import type { MiuraLink } from './link.js';
import { statusFailure } from './replies.js';

/** Text of one command, its length being one byte; a character may take four. */
const MAX_PIECE_BYTES = 249;

/** Prints lines (SPOOL PRINT); a device without a printer does not know the command. */
export async function printLines(link: MiuraLink, lines: readonly string[]): Promise<DeviceOutcome> {
  const pieces = piecesOf(lines).map((data) => ({ p1: SPOOL_P1.add as number, data }));
  for (const step of [...pieces, { p1: SPOOL_P1.print }]) {
    const reply = await ask(link, 'spoolPrint', step);
    if (isFailed(reply)) return reply;
    if (reply.sw === STATUSES.unknownCommand.code) return { kind: 'unavailable' };
    if (reply.sw !== STATUSES.ok.code) return statusFailure('spoolPrint', reply.sw);
  }
  return { kind: 'done' };
}

/** Lines, each in a separate command; a longer one in several. */
function piecesOf(lines: readonly string[]): Buffer[] {
  return lines.flatMap((line) => {
    const pieces: Buffer[] = [];
    let piece = '';
    for (const character of line) {
      if (Buffer.byteLength(piece + character) > MAX_PIECE_BYTES) {
        pieces.push(Buffer.from(piece));
        piece = '';
      }
      piece += character;
    }
    return [...pieces, Buffer.from(piece || ' ')];
  });
}
