import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import { ACCOUNT_DATA_REFUSED } from '@tillbridge/gateway/core/payments/rules/account-data-error.js';
import { REPLAY_CODE } from '@tillbridge/gateway/core/payments/rules/atc-replay.js';
import type { PaymentResult } from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { DeviceRow, EntityRow, TableName, UsedKsnRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { toHex } from '@tillbridge/wire/bytes.js';
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

/** Account data that are refused have not used their KSN: other data may be tried under it. */
export function takesKsnOfPaymentsOnly(store: Store): Store {
  return redirected(store, {
    commit: (changes: readonly Change[]) => {
      const isPayment = changes.some((change) => change.op === 'insert' && change.table === 'intents');
      const isKept = (change: Change): boolean =>
        isPayment || !('table' in change) || change.table !== 'usedKsns';
      return store.commit(changes.filter(isKept));
    },
  });
}

/** A used KSN is answered unlike account data that cannot be read. */
export function revealsUsedKsn(service: PaymentService): PaymentService {
  const used = new Set<string>();
  return redirected(service, {
    authorize: async (request: AuthorizeCall) => {
      const result = await service.authorize(request);
      const ksn = request.pos?.sred && toHex(request.pos.sred.ksn);
      if (ksn && result.resultCode === ACCOUNT_DATA_REFUSED.resultCode && used.has(ksn))
        return { ...result, resultCode: REPLAY_CODE };
      if (ksn) used.add(ksn);
      return result;
    },
  });
}

/** A device without an agent sells at whatever terminal its sender names. */
export function sellsAnywhere(store: Store): Store {
  return redirected(store, {
    find: async (table: TableName, ...query: [never, never, never]) => {
      const rows = await store.find(table, ...query);
      if (table !== 'devices') return rows;
      return (rows as DeviceRow[]).map((row) => (row.agentId === null ? { ...row, terminalId: null } : row));
    },
  });
}

/** A device counts as the sender's, also where another merchant sends its KSN. */
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
