import type { DeviceContext } from './device-context.js';
import { StatusError } from './status-error.js';

/**
 * Shows a prompt, tells the operator, waits for a PIN (ABECS 2.12 §6.8.6.1). The display is empty afterwards.
 * @returns ASCII digits that the caller wipes
 * @throws StatusError ST_CANCEL, ST_TIMEOUT, ST_NOCARD; WaitAborted
 */
export async function enterPin(
  device: DeviceContext,
  prompt: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Buffer | 'bypass'> {
  const { ui } = device;
  device.notify('SOLICITE A SENHA');
  ui.show(prompt);
  try {
    const entry = await ui.waitForPin(timeoutMs, signal);
    if (entry === 'timeout') throw new StatusError('ST_TIMEOUT');
    if (entry === 'card-removed') throw new StatusError('ST_NOCARD');
    if (entry.kind === 'cancel') throw new StatusError('ST_CANCEL');
    return entry.kind === 'digits' ? entry.digits : 'bypass';
  } finally {
    ui.clear();
  }
}
