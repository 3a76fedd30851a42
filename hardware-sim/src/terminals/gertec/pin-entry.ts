import { enterPin } from '../core/pin-pad.js';
import type { DeviceContext } from './device-context.js';

/**
 * Shows a prompt, notifies the operator, waits for a PIN (ABECS 2.12 §6.8.6.1). The display is empty afterwards.
 * @returns ASCII digits that the caller wipes
 * @throws PinEntryEnded, WaitAborted; CardCommunicationError when the card left the slot
 */
export function askForPin(
  { ui, notify }: DeviceContext,
  lines: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Buffer | 'bypass'> {
  const onAsk = () => notify('SOLICITE A SENHA');
  return enterPin(ui, { lines, timeoutMs, allowBypass: true, onAsk }, signal, 'issuer');
}
