import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { DEVICE_TYPES } from '@tillbridge/wire/terminals/device-types.js';
import { stamp, version } from './columns.js';

/** Ways to encipher account data (docs/devices.md): one of each model, and `default` for requests that name none. */
export const DEVICE_PROFILE_NAMES = [...DEVICE_TYPES, 'default'] as const;

/** One of {@link DEVICE_PROFILE_NAMES}. */
export type DeviceProfileName = (typeof DEVICE_PROFILE_NAMES)[number];

/** Card devices and what each has used up. */
export const DEVICES_TABLES = tables({
  /** A card terminal that account data and PINs are taken from (security/devices). */
  devices: shape(
    {
      /** The maker's serial, letters and digits. */
      serial: column.text(),
      deviceType: column.oneOf(...DEVICE_PROFILE_NAMES),
      /** Initial KSN of the key of its account data: key set and device with the counter zero, uppercase hex. Its KSNs are all that begin so. */
      accountKsn: column.text(),
      /** The same of its PIN key, where that is a separate key; null where a PIN comes under the KSN of the account data. */
      pinKsn: column.optional(column.text()),
      /** The merchant or channel whose device it is. */
      entityId: column.idOf('entities'),
      /** The agent it is connected to; null for a device whose merchant sends over REST. */
      agentId: column.optional(column.idOf('agents')),
      /** `pos.terminalId` that it stands for. */
      terminalId: column.optional(column.text()),
      state: column.oneOf('inStock', 'active', 'suspended', 'tampered', 'decommissioned'),
      /** Since when it is in this state. */
      stateSinceMs: column.integer(),
      /** Highest counter of account data that was used. */
      highestCounter: column.integer('>= 0'),
      /** Every use of a counter up to this one has been forgotten: none of them is taken any more. */
      forgottenCounter: column.integer('>= 0'),
      /** Highest counter that was used before this database was put back from a backup: a use of one up to it may have been forgotten. */
      unknownCounter: column.integer('>= 0'),
      ...stamp,
    },
    {
      key: ['serial'],
      unique: { account: ['accountKsn'], pin: ['pinKsn'] },
      indexes: { entity: ['entityId'], terminal: ['agentId', 'terminalId'] },
    },
  ),

  /** A key serial number that was used, once, by one sale. */
  usedKsns: shape(
    {
      /** The whole KSN, uppercase hex. */
      ksn: column.text(),
      /** The device. */
      serial: column.text(),
      /** Counter of an account data KSN; null for that of a PIN key. */
      counter: column.optional(column.integer()),
      /** Whose it is: JSON of the agent and the till's reference, or of the payment alone. */
      sale: column.text(),
      /** Keyed fingerprint of what was enciphered under it, hex: the same KSN never stands with other data. */
      data: column.text(),
      /** The sale's payment that used it last. */
      paymentId: column.text(),
      ...stamp,
    },
    { key: ['ksn'], indexes: { age: ['createdAtMs'] } },
  ),

  /** A card's application transaction counter, used once by one sale: the same again elsewhere is a replay. */
  usedAtcs: shape(
    {
      /** Keyed fingerprint of card number and sequence number, hex. */
      card: column.text(),
      /** 0 to 65535 (tag 9F36). */
      counter: column.integer(),
      /** Whose it is: JSON of agent or entity and the till's reference, or of the payment alone. */
      sale: column.text(),
      /** The sale's payment that used it last. */
      paymentId: column.text(),
      ...stamp,
    },
    { key: ['card', 'counter'], indexes: { age: ['createdAtMs'] } },
  ),

  /** Account data that could not be taken, counted for a device and for an entity; at the limit nothing more is taken. */
  accountFailures: shape(
    {
      kind: column.oneOf('device', 'entity'),
      /** Serial of the device, or id of the entity. */
      subject: column.text(),
      failures: column.integer('> 0'),
      /** When the first of them was. */
      sinceMs: column.integer(),
      version,
    },
    { key: ['kind', 'subject'], indexes: { age: ['sinceMs'] } },
  ),
});
