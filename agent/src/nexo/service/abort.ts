import type { Fields } from '@tillbridge/protocol/nexo/fields.js';
import type { MessageHeader } from '@tillbridge/protocol/nexo/header.js';
import type { Handler, NexoPorts } from './ports.js';
import { referredTo } from './transaction-status.js';

/** Asks a running request to stop. There is no response: the request itself ends as aborted, or as it must. */
export const abort: Handler = async ({ header, body }, ports) => {
  body.text('AbortReason');
  const named = body.object('MessageReference');
  if (named.get('MessageCategory') === 'CardAcquisition') return abortAcquisition(named, header, ports);
  const request = await referredTo(named, header, ports);
  if (!request) return undefined;
  const { sales, log } = ports;
  const { reference } = request;
  // Its end is told by its own response.
  sales
    .cancel(reference)
    .catch((error: unknown) => log.warn({ err: error, reference }, 'abort not possible'));
  return undefined;
};

async function abortAcquisition(
  named: Fields,
  header: MessageHeader,
  { terminals, acquisitions, sales }: NexoPorts,
): Promise<undefined> {
  const { id } = terminals.of(named.textIfThere('POIID') ?? header.POIID);
  const running = acquisitions.get(id);
  const isIt = running?.serviceId === named.get('ServiceID');
  if (running && isIt && running.saleId === (named.get('SaleID') ?? header.SaleID))
    void sales.cancelDevice(id);
  return undefined;
}
