import { SPOOL_P1 } from '@tillbridge/protocol/terminals/miura/commands.js';
import type { DeviceReport } from '@tillbridge/protocol/terminals/miura/reports.js';
import { STATUSES } from '@tillbridge/protocol/terminals/miura/statuses.js';
import { KEYS } from '@tillbridge/protocol/terminals/miura/tags.js';
import type { DeviceOutcome, Question } from '../core/driver.js';
import { endOfWait } from '../core/event-queue.js';
import { isFailed, TIMED_OUT } from '../core/result.js';
import type { CardWatch } from './card-watch.js';
import { ask, showText } from './device.js';
import type { MiuraLink } from './link.js';
import { statusFailure } from './replies.js';

const UNAVAILABLE = { kind: 'unavailable' } as const;
/** Text of one command, its length being one byte; a character may take four. */
const MAX_PIECE_BYTES = 249;

/**
 * Asks for a key: the device tells each that is pressed (KEYBOARD STATUS). For digits it takes the number of a text in a file of its
 * owner (GET NUMERIC DATA), which nobody publishes; menus it has none.
 */
export async function askPerson(
  link: MiuraLink,
  watch: CardWatch,
  question: Question,
): Promise<DeviceOutcome> {
  if (question.kind !== 'confirm') return UNAVAILABLE;
  const shown = await showText(link, question.text);
  if (shown) return shown;
  const key = await watch.next(keyOf, question.timeoutMs);
  if (typeof key === 'string') return endOfWait(key, TIMED_OUT);
  return { kind: 'answered', answer: { kind: 'confirm', confirmed: key.code === KEYS.enter } };
}

function keyOf(event: DeviceReport): Extract<DeviceReport, { kind: 'key' }> | undefined {
  return event.kind === 'key' ? event : undefined;
}

/** Prints lines (SPOOL PRINT); a device without a printer does not know the command. */
export async function printLines(link: MiuraLink, lines: readonly string[]): Promise<DeviceOutcome> {
  const pieces = piecesOf(lines).map((data) => ({ p1: SPOOL_P1.add as number, data }));
  for (const step of [...pieces, { p1: SPOOL_P1.print }]) {
    const reply = await ask(link, 'spoolPrint', step);
    if (isFailed(reply)) return reply;
    if (reply.sw === STATUSES.unknownCommand.code) return UNAVAILABLE;
    if (reply.sw !== STATUSES.ok.code) return statusFailure('spoolPrint', reply.sw);
  }
  return { kind: 'done' };
}

/** Lines, each in a command of its own; a longer one in several. */
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
