import type { DeviceOutcome } from '../../drivers/core/driver.js';
import { failure, type NexoResponse, success } from '../messages/response.js';
import type { NexoPorts, RunningWork } from './ports.js';

/** Does work that a till can abort; the answer `Busy` names the work that runs already. */
export async function exclusively<T>(
  { works }: Pick<NexoPorts, 'works'>,
  terminalId: string,
  mine: RunningWork,
  work: () => Promise<T>,
): Promise<T | NexoResponse> {
  const running = works.get(terminalId);
  if (running) return busyWith(running);
  works.set(terminalId, mine);
  try {
    return await work();
  } finally {
    works.delete(terminalId);
  }
}

/** Reports which work occupies the terminal, so that the till can abort it. */
export function busyWith({
  category,
  id,
  saleId,
}: Omit<RunningWork, 'category'> & { readonly category: string }): NexoResponse {
  const named = { runningServiceID: id, runningSaleID: saleId };
  return failure('Busy', `the terminal runs ${category} for a till: wait for it, or abort it`, named);
}

/** The answer to work that is no sale; `what` names the work where the terminal does not support it. */
export function deviceResponse(outcome: DeviceOutcome, what: string): NexoResponse {
  switch (outcome.kind) {
    case 'done':
    case 'card':
    case 'answered':
      return success();
    case 'unavailable':
      return failure('UnavailableDevice', `the terminal has not ${what} by its maker’s protocol`);
    case 'cancelled':
      return failure(outcome.by === 'till' ? 'Aborted' : 'Cancel', CANCELLED[outcome.by]);
    case 'failed':
      return failure(outcome.failure === 'terminal-busy' ? 'Busy' : 'DeviceOut', outcome.detail);
  }
}

const CANCELLED = {
  till: 'cancelled by the till',
  cardholder: 'cancelled by the cardholder',
  timeout: 'no answer in time',
} as const;
