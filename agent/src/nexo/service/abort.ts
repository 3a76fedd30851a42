import { actsFor } from '../keys/caller.js';
import type { Fields } from '../messages/fields.js';
import type { Handler, NexoPorts, RunningWork, TillCall } from './ports.js';
import { referredTo } from './transaction-status.js';

/** Stops a running request where it still can be stopped. There is no response: the request itself ends as aborted, or as it must. */
export const abort: Handler = async (call, ports) => {
  const { body } = call;
  body.text('AbortReason');
  const named = body.object('MessageReference');
  const category = named.textIfThere('MessageCategory');
  if (category === 'CardAcquisition' || category === 'Input') return abortWork(named, category, call, ports);
  const request = await referredTo(named, call, ports);
  if (!request) return undefined;
  const { sales, log } = ports;
  const { reference } = request;
  // The response to the aborted request has its end.
  sales
    .cancel(reference, call.header.SaleID)
    .catch((error: unknown) => log.warn({ err: error, reference }, 'abort not possible'));
  return undefined;
};

async function abortWork(
  named: Fields,
  category: RunningWork['category'],
  { header, caller }: TillCall,
  { terminals, works, sales }: NexoPorts,
): Promise<undefined> {
  const { id } = terminals.of(named.textIfThere('POIID') ?? header.POIID);
  const running = works.get(id);
  const saleId = named.textIfThere('SaleID') ?? header.SaleID;
  const own = named.textIfThere('ServiceID') ?? named.textIfThere('DeviceID');
  const isIt = running?.category === category && running.id === own && running.saleId === saleId;
  if (isIt && actsFor(caller, saleId)) void sales.cancelDevice(id);
  return undefined;
}
