import { TerminalFormatError } from '../format-error.js';

/** Longest block of a message (ABECS 2.12 §2.3.1). */
export const MAX_BLOCK_LENGTH = 999;
/** Id of the answer to a command the device does not know (ABECS 2.12 §2.3.4). */
export const ERROR_RESPONSE_ID = 'ERR';
/** Id of a notification for the operator while a blocking command runs (ABECS 2.12 §2.3.3). */
export const NOTIFICATION_ID = 'NTM';

const ID_LENGTH = 3;
const STATUS_LENGTH = 3;
const LENGTH_DIGITS = 3;
const COMMAND_ID = /^[A-Z0-9]{3}$/;
const DIGITS = /^\d{3}$/;

/** What the host sends: a three-character id and blocks of parameters. */
export interface CommandMessage {
  readonly id: string;
  readonly blocks: readonly Uint8Array[];
}

/** What the device answers: the id of the command, a status and, on success alone, blocks of data. */
export interface ResponseMessage {
  readonly id: string;
  /** 0 to 999; 0 is success. */
  readonly status: number;
  readonly blocks: readonly Uint8Array[];
}

function checkedId(id: string): string {
  if (!COMMAND_ID.test(id)) throw new TerminalFormatError('id', 'must be 3 characters of A-Z and 0-9');
  return id;
}

function encodeBlocks(blocks: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.length > MAX_BLOCK_LENGTH) {
      throw new TerminalFormatError(
        `block ${index + 1}`,
        `${block.length} bytes, at most ${MAX_BLOCK_LENGTH}`,
      );
    }
    parts.push(Buffer.from(String(block.length).padStart(LENGTH_DIGITS, '0'), 'latin1'), block);
  }
  return Buffer.concat(parts);
}

function threeDigits(data: Buffer, offset: number, where: string): number {
  const text = data.toString('latin1', offset, offset + 3);
  if (!DIGITS.test(text)) throw new TerminalFormatError(where, 'must be 3 decimal digits');
  return Number(text);
}

function decodeBlocks(data: Buffer, start: number): Buffer[] {
  const blocks: Buffer[] = [];
  let offset = start;
  while (offset < data.length) {
    const where = `block ${blocks.length + 1}`;
    const length = threeDigits(data, offset, `${where} length`);
    offset += LENGTH_DIGITS;
    if (offset + length > data.length) {
      throw new TerminalFormatError(where, `${length} bytes announced, ${data.length - offset} present`);
    }
    blocks.push(data.subarray(offset, offset + length));
    offset += length;
  }
  return blocks;
}

function idOf(data: Buffer): string {
  return checkedId(data.toString('latin1', 0, ID_LENGTH));
}

/** Packet data of a command (ABECS 2.12 §2.3.1). @throws TerminalFormatError */
export function encodeCommandMessage(message: CommandMessage): Buffer {
  return Buffer.concat([Buffer.from(checkedId(message.id), 'latin1'), encodeBlocks(message.blocks)]);
}

/** Reads the packet data of a command. @throws TerminalFormatError */
export function decodeCommandMessage(data: Uint8Array): CommandMessage {
  const bytes = Buffer.from(data);
  return { id: idOf(bytes), blocks: decodeBlocks(bytes, ID_LENGTH) };
}

/** Packet data of an answer (ABECS 2.12 §2.3.2): blocks go with status 0 alone. @throws TerminalFormatError */
export function encodeResponseMessage(message: ResponseMessage): Buffer {
  const { status } = message;
  if (!Number.isInteger(status) || status < 0 || status > 999) {
    throw new TerminalFormatError('status', 'must be an integer from 0 to 999');
  }
  if (status !== 0 && message.blocks.length > 0) {
    throw new TerminalFormatError('blocks', 'an answer with an error status carries no data');
  }
  const head = checkedId(message.id) + String(status).padStart(STATUS_LENGTH, '0');
  return Buffer.concat([Buffer.from(head, 'latin1'), encodeBlocks(message.blocks)]);
}

/** Reads the packet data of an answer or a notification. @throws TerminalFormatError */
export function decodeResponseMessage(data: Uint8Array): ResponseMessage {
  const bytes = Buffer.from(data);
  const id = idOf(bytes);
  const status = threeDigits(bytes, ID_LENGTH, 'status');
  return { id, status, blocks: decodeBlocks(bytes, ID_LENGTH + STATUS_LENGTH) };
}
