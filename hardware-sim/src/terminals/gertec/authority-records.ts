import { equalConstantTime, fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { type Capk, type CapkTable, capkHash } from '@tillbridge/wire/crypto/emv/capk.js';
import { capkNumbers, type TableRecord } from '@tillbridge/wire/terminals/abecs/tables.js';
import type { OfflineAuthenticationInputs } from '../../kernel/offline-authentication.js';
import type { AidRecord } from './aid-records.js';

/** T2_CHKSTAT: the record has a hash (ABECS 2.12 §4.1.2). */
const HASH_GIVEN = '1';

/** What the loaded tables of an application's acquirer say of certification authorities and called back certificates. */
export function offlineAuthenticationOf(
  records: readonly TableRecord[],
  { acquirer, fields }: AidRecord,
): OfflineAuthenticationInputs {
  const own = records.filter((record) => record.acquirer === acquirer);
  const revoked = own.flatMap((record) =>
    record.table === 'revoked'
      ? [`${record.fields.T3_RID}${record.fields.T3_CAPKIDX}${record.fields.T3_CERTSN}`.toUpperCase()]
      : [],
  );
  return {
    authorities: authoritiesOf(own),
    isRevoked: (rid, index, serial) =>
      revoked.includes(`${toHex(rid)}${toHex(Buffer.of(index))}${toHex(serial)}`),
    // The list stands left-justified in its field, zeros behind it.
    defaultDdol: fromHex(fields.T1_DDOLDEF.replace(/(?:00)+$/, '')),
  };
}

/** A key whose hash differs from the one that came with it is none. Keys are verified when a card needs one. */
function authoritiesOf(records: readonly TableRecord[]): CapkTable {
  return {
    find(rid, index) {
      const [ridText, indexText] = [toHex(rid), toHex(Buffer.of(index))];
      for (const record of records) {
        if (record.table !== 'capk') continue;
        const { T2_RID, T2_CAPKIDX, T2_CHKSTAT, T2_CHECKSUM } = record.fields;
        if (T2_RID.toUpperCase() !== ridText || T2_CAPKIDX.toUpperCase() !== indexText) continue;
        const key: Capk = { rid, index, ...capkNumbers(record.fields) };
        const isRight = T2_CHKSTAT !== HASH_GIVEN || equalConstantTime(capkHash(key), fromHex(T2_CHECKSUM));
        if (isRight) return key;
      }
      return undefined;
    },
  };
}
