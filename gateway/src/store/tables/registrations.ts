import {
  idOf,
  integer,
  json,
  oneOf,
  optional,
  table,
  text,
} from '@tillbridge/protocol/platform/sqlite/table.js';
import { createdAtMs, version } from './columns.js';

/** Payment details that merchants keep for later payments. */
export const REGISTRATIONS_TABLES = {
  /** A means of payment: sealed for its merchant, who owns it. Never a card verification value. */
  registrations: table('registrations', {
    key: ['id'],
    isWide: true,
    indexes: {
      duplicate: ['merchantId', 'fingerprint'],
      keyId: ['keyId'],
      entity: ['entityId', 'createdAtMs'],
    },
    columns: {
      /** 32 lowercase hex; of one that a card payment made that of its row in the vault. */
      id: text(),
      /** The entity that it was made for. */
      entityId: idOf('entities'),
      merchantId: idOf('entities'),
      /** `pending`: its payment has no outcome yet. `removed`: nothing is left of it but that it was. */
      state: oneOf('pending', 'active', 'removed'),
      kind: oneOf('card', 'bank-account'),
      /** Keyed hash of what makes it the same as another of its merchant, hex. */
      fingerprint: text(),
      /** Hex of the details (payments/instruments/registration.ts), sealed; null once it is removed. */
      sealed: optional(text()),
      /** The data key that seals it. */
      keyId: optional(idOf('dataKeys')),
      brand: optional(text()),
      /** Six digits. */
      bin: optional(text()),
      last4Digits: optional(text()),
      holder: optional(text()),
      expiryMonth: optional(text()),
      expiryYear: optional(text()),
      /** The payment that made it. */
      paymentId: optional(text()),
      /** Object: parameters that answers repeat. */
      echo: json(),
      updatedAtMs: integer(),
      createdAtMs,
      version,
    },
  }),
};
