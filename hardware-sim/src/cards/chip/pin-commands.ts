import { equalConstantTime, wipe } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { decodePinBlock, PIN_BLOCK_BYTES } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { type CommandApdu, type ResponseApdu, SW } from '../core/apdu.js';
import type { ChipContext } from '../core/card-session.js';
import { PIN_TRY_LIMIT } from '../core/card-state.js';

const PLAINTEXT_PIN = 0x80;
const NO_DATA = Buffer.alloc(0);

/**
 * VERIFY with a plaintext PIN (EMV Book 3 §6.5.12). The try is counted on disk before the PIN is compared, so that
 * pulling the card gives no free guess.
 * @param referencePin the card's PIN; a card without one refuses
 */
export function verify(
  chip: ChipContext,
  referencePin: string | undefined,
  command: CommandApdu,
): ResponseApdu {
  const { memory, session } = chip;
  if (command.p1 !== 0 || command.p2 !== PLAINTEXT_PIN) return { sw: SW.wrongParameters, data: NO_DATA };
  if (referencePin === undefined) return { sw: SW.referencedDataNotFound, data: NO_DATA };
  if (!session.initiated) return { sw: SW.conditionsNotSatisfied, data: NO_DATA };
  const left = memory.state.pinTryCounter;
  if (left === 0) return { sw: SW.authenticationMethodBlocked, data: NO_DATA };
  if (command.data.length !== PIN_BLOCK_BYTES) return { sw: SW.wrongLength, data: NO_DATA };
  memory.change({ pinTryCounter: left - 1 });
  if (matches(command.data, referencePin)) {
    memory.change({ pinTryCounter: PIN_TRY_LIMIT });
    session.offlinePin = 'successful';
    return { sw: SW.ok, data: NO_DATA };
  }
  session.offlinePin = 'failed';
  return { sw: left === 1 ? SW.authenticationMethodBlocked : 0x63c0 | (left - 1), data: NO_DATA };
}

function matches(block: Uint8Array, referencePin: string): boolean {
  const reference = Buffer.from(referencePin, 'latin1');
  let entered: Uint8Array = NO_DATA;
  try {
    entered = decodePinBlock(2, block);
    return equalConstantTime(entered, reference);
  } catch (error) {
    if (error instanceof CryptoError) return false;
    throw error;
  } finally {
    wipe(entered, reference, block);
  }
}
