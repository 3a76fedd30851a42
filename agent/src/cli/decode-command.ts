import { fromHex } from '@tillbridge/protocol/bytes.js';
import { describeTlv, formatDescription } from '@tillbridge/protocol/emv/describe.js';
import { TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { CommandError, EXIT } from './exit-code.js';

/** Longest message that is decoded, in bytes. */
const MAX_BYTES = 64 * 1024;

/**
 * BER-TLV in hex (blanks and colons are skipped) as text, or as JSON; sensitive values are masked.
 * @throws CommandError naming what is wrong with it
 */
export function decodeHex(hex: string, asJson: boolean): string {
  const digits = hex.replace(/[\s:]/g, '');
  if (digits.length > MAX_BYTES * 2) throw new CommandError(EXIT.usage, `longer than ${MAX_BYTES} bytes`);
  try {
    const nodes = describeTlv(fromHex(digits));
    return asJson ? JSON.stringify(nodes, null, 2) : formatDescription(nodes).join('\n');
  } catch (error) {
    if (error instanceof RangeError || error instanceof TlvError) {
      throw new CommandError(EXIT.usage, `no BER-TLV: ${error.message}`);
    }
    throw error;
  }
}
