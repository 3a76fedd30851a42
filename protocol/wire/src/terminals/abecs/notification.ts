import { TerminalFormatError } from '../format-error.js';
import { CLASSIC_MESSAGE_LENGTH, displayLines } from './classic.js';
import { NOTIFICATION_ID, type ResponseMessage } from './message.js';

/** A notification for the operator while a blocking command runs: up to 32 characters (ABECS 2.12 §2.3.3). */
export function encodeNotification(message: string): ResponseMessage {
  if (message.length > CLASSIC_MESSAGE_LENGTH) {
    throw new TerminalFormatError(
      'NTM_MSG',
      `${message.length} characters, at most ${CLASSIC_MESSAGE_LENGTH}`,
    );
  }
  return { id: NOTIFICATION_ID, status: 0, blocks: [Buffer.from(message, 'latin1')] };
}

/** True when an answer is a notification, not the end of a command. */
export function isNotification(response: ResponseMessage): boolean {
  return response.id === NOTIFICATION_ID;
}

/** The two lines of a notification; a missing block is two empty lines. */
export function notificationLines(response: ResponseMessage): readonly [string, string] {
  const [block = Buffer.alloc(0)] = response.blocks;
  return displayLines(Buffer.from(block).toString('latin1'));
}
