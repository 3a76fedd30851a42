import { panSequenceNumber } from '@tillbridge/wire/emv/pan-sequence-number.js';
import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import { type SecurityModule, SecurityModuleError } from './security-module.js';

/** Chip data, and the card that it claims to be of. */
interface ChipData {
  readonly pan: string;
  readonly panSequenceNumber: string | undefined;
  readonly iccData: Uint8Array;
}

/**
 * Whether chip data holds a cryptogram of the card, as far as the issuer's keys are here: only then its counter counts as used. What
 * becomes of the payment is for the issuer to say.
 * @throws SecurityModuleError unavailable
 */
export async function checkCryptogram(
  security: Pick<SecurityModule, 'verifyArqcAndMakeArpc'>,
  chip: ChipData,
  expect: 'ARQC' | 'TC',
): Promise<'valid' | 'invalid' | 'unknown'> {
  const { pan, iccData } = chip;
  try {
    const { valid } = await security.verifyArqcAndMakeArpc({
      pan,
      panSequenceNumber: panSequenceNumber(chip.panSequenceNumber, iccData),
      iccData,
      // Of an answer that is thrown away.
      responseCode: '00',
      expect,
    });
    return valid ? 'valid' : 'invalid';
  } catch (error) {
    if (error instanceof TlvError) return 'invalid';
    if (!(error instanceof SecurityModuleError) || error.code === 'unavailable') throw error;
    return error.code === 'unknown-key' ? 'unknown' : 'invalid';
  }
}
