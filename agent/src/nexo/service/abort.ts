import type { Handler } from './ports.js';
import { referredTo } from './transaction-status.js';

/** Asks a running request to stop. There is no response: the request itself ends as aborted, or as it must. */
export const abort: Handler = async ({ header, body }, ports) => {
  body.text('AbortReason');
  const request = await referredTo(body.object('MessageReference'), header, ports);
  if (!request) return undefined;
  const { sales, log } = ports;
  const { reference } = request;
  // Its end is told by its own response.
  sales
    .cancel(reference)
    .catch((error: unknown) => log.warn({ err: error, reference }, 'abort not possible'));
  return undefined;
};
