import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { sealedForNow, shownCard, stamp } from './columns.js';

/** Payment details that merchants keep for later payments. */
export const REGISTRATIONS_TABLES = tables({
  /** A means of payment: sealed for its merchant, who owns it. Never a card verification value. */
  registrations: shape(
    {
      /** 32 lowercase hex; of one that a card payment made that of its row in the vault. */
      id: column.text(),
      /** The entity that it was made for. */
      entityId: column.idOf('entities'),
      merchantId: column.idOf('entities'),
      /** `pending`: its payment has no outcome yet. `removed`: nothing is left of it but that it was. */
      state: column.oneOf('pending', 'active', 'removed'),
      kind: column.oneOf('card', 'bank-account'),
      /** Keyed hash of what makes it the same as another of its merchant, hex. */
      fingerprint: column.text(),
      /** The fingerprint while it is active: no other active one of its merchant has the same. Null where a change made it the same as another. */
      activeFingerprint: column.optional(column.text()),
      /** Hex of the details (payments/instruments/registration.ts), sealed; null once it is removed. */
      ...sealedForNow,
      ...shownCard,
      /** The payment that made it. */
      paymentId: column.optional(column.text()),
      /** Object: parameters that answers repeat. */
      echo: column.json(),
      updatedAtMs: column.integer(),
      ...stamp,
    },
    {
      isWide: true,
      unique: { active: ['merchantId', 'activeFingerprint'] },
      indexes: {
        keyId: ['keyId'],
        entity: ['entityId', 'createdAtMs'],
      },
    },
  ),
});
