import type { PaymentResult } from '@tillbridge/gateway/payments/decide/requests.js';
import type { PaymentService } from '@tillbridge/gateway/payments/payment-service.js';
import type { DeviceRow, EntityRow, TableName, UsedKsnRow } from '@tillbridge/gateway/store/rows.js';
import type { Store } from '@tillbridge/gateway/store/store.js';
import { toHex } from '@tillbridge/protocol/bytes.js';
import { redirected } from './redirected.js';

type AuthorizeCall = Parameters<PaymentService['authorize']>[0];

/** An offline record under the KSN of an authorization is taken for that authorization: it gets its answer, and nothing is done. */
export function answersByKsn(service: PaymentService): PaymentService {
  const answers = new Map<string, PaymentResult>();
  return redirected(service, {
    authorize: async (request: AuthorizeCall) => {
      const { pos, offline } = request;
      const ksn = pos?.sred && toHex(pos.sred.ksn);
      const known = ksn && offline ? answers.get(ksn) : undefined;
      if (known) return known;
      const result = await service.authorize(request);
      if (ksn && !offline) answers.set(ksn, result);
      return result;
    },
  });
}

/** A KSN is used up by the first message that brings it: an offline record is another one than the authorization of its sale. */
export function takesKsnOnce(store: Store): Store {
  return redirected(store, {
    get: async (table: TableName, key: never) => {
      const row = await store.get(table, key);
      return table === 'usedKsns' && row ? { ...(row as UsedKsnRow), sale: '' } : row;
    },
  });
}

/** A device is believed to be the sender's, whoever sends its KSN. */
export function believesOwner(store: Store): Store {
  let owner: string | undefined;
  return redirected(store, {
    find: async (table: TableName, ...query: [never, never, never]) => {
      const rows = await store.find(table, ...query);
      if (table === 'devices') owner = (rows[0] as DeviceRow | undefined)?.entityId;
      return rows;
    },
    get: async (table: TableName, key: never) => {
      const row = await store.get(table, key);
      return table === 'entities' && row && owner ? { ...(row as EntityRow), parentId: owner } : row;
    },
  });
}
