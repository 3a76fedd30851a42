import { AES_BLOCK_BYTES, aesDecryptCbc, aesEncryptCbc, ZERO_AES_BLOCK } from '../../crypto/ciphers/aes.js';
import { crc16 } from '../crc16.js';
import { TerminalFormatError } from '../format-error.js';
import { MAX_ABECS_DATA } from './framing.js';

/** First byte of packet data that are enciphered (ABECS 2.12 §2.3). */
const DC2 = 0x12;
/** Length and CRC in front of the message. */
const HEAD_BYTES = 4;

/** Whether packet data are enciphered. */
export function isSealed(data: Uint8Array): boolean {
  return data[0] === DC2;
}

/**
 * Packet data with a message inside: DC2, then length, CRC, message and zeros under AES in CBC (ABECS 2.12 §5.2.2.1).
 * @throws TerminalFormatError when the message is longer than {@link MAX_ABECS_DATA}
 */
export function sealMessage(channelKey: Uint8Array, message: Uint8Array): Buffer {
  if (message.length > MAX_ABECS_DATA)
    throw new TerminalFormatError('DATALEN', `${message.length} bytes, at most ${MAX_ABECS_DATA}`);
  const blocks = Math.ceil((HEAD_BYTES + message.length) / AES_BLOCK_BYTES);
  const clear = Buffer.alloc(blocks * AES_BLOCK_BYTES);
  clear.writeUInt16BE(message.length, 0);
  clear.writeUInt16BE(crc16(message), 2);
  clear.set(message, HEAD_BYTES);
  return Buffer.concat([Buffer.of(DC2), aesEncryptCbc(channelKey, ZERO_AES_BLOCK, clear)]);
}

/** The message in enciphered packet data, checked (ABECS 2.12 §5.2.2.2). @throws TerminalFormatError */
export function openMessage(channelKey: Uint8Array, data: Uint8Array): Buffer {
  const sealed = data.subarray(1);
  if (!isSealed(data) || sealed.length === 0 || sealed.length % AES_BLOCK_BYTES !== 0)
    throw new TerminalFormatError('PKTDATA', 'must be DC2 and whole blocks');
  const clear = aesDecryptCbc(channelKey, ZERO_AES_BLOCK, sealed);
  const length = clear.readUInt16BE(0);
  if (length > clear.length - HEAD_BYTES) throw new TerminalFormatError('DATALEN', 'is more than there is');
  const message = clear.subarray(HEAD_BYTES, HEAD_BYTES + length);
  if (crc16(message) !== clear.readUInt16BE(2)) throw new TerminalFormatError('DATACRC', 'is wrong');
  return message;
}
