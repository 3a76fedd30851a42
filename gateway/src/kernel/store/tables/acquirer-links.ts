import { column, table } from '@tillbridge/platform/sqlite/table.js';
import { sealedForNow, stamp, version } from './columns.js';

/** Links to acquirers, and which of them takes a payment. */
export const ACQUIRER_LINKS_TABLES = {
  /** Which acquirer takes the payments of a merchant or channel; absent: a channel's is that of its merchant, else the simulator. */
  acquirerRouting: table(
    'acquirerRouting',
    {
      entityId: column.idOf('entities'),
      /** Mode `test`: what the payments of terminals are, whose messages name no `testMode`. */
      testMode: column.oneOf('INTERNAL', 'EXTERNAL'),
      /** Array of routes in the order they are tried (payments/routing/acquirer-routes.ts). */
      routes: column.json(),
      version,
    },
    {
      key: ['entityId'],
    },
  ),

  /** What a link journals of an exchange with its host, before bytes leave. No card data. */
  linkExchanges: table(
    'linkExchanges',
    {
      /** The acquirer reference, 32 lowercase hex; of a further part with its number after a dot. */
      reference: column.text(),
      /** Name of the acquirer. */
      acquirer: column.text(),
      /** Place among all messages of the acquirer; null in a tombstone. */
      sequence: column.optional(column.integer('>= 0')),
      /** System trace audit number; retrieval reference number, by which files of the acquirer name it; `yyyyMMddHHmmss` in UTC. */
      ...column.optionalTexts('stan', 'rrn', 'transmittedAt'),
      state: column.oneOf('sent', 'answered', 'advice-pending', 'reversing', 'reversed'),
      /** The acquirer reference that it follows. */
      original: column.optional(column.text()),
      /** Fingerprint of its card, where the gateway stands in for the acquirer. */
      card: column.optional(column.text()),
      /** Of what the gateway approved by itself: whose payment it is. */
      entityId: column.optional(column.text()),
      /** The acquirer reference of its reversal, where the gateway requested one. */
      reversalReference: column.optional(column.text()),
      /** Objects (acquirers/iso8583/decide/exchange-record.ts): messages without card data, and what they are for. */
      request: column.optional(column.json()),
      purpose: column.optional(column.json()),
      answer: column.optional(column.json()),
      reversal: column.optional(column.json()),
      standIn: column.optional(column.json()),
      /** The advice of a stand-in that the host has not answered yet, or the card of a trial sale that may have to be reversed. */
      ...sealedForNow,
      /** What the host took or gave on which of its settlement days (`yyyyMMdd`), in minor units, and what it reversed of that. */
      bookedDay: column.optional(column.integer()),
      bookedMinor: column.optional(column.integer('>= 0')),
      reversedDay: column.optional(column.integer()),
      reversedMinor: column.optional(column.integer('>= 0')),
      /** Approvals that came after their reversal. */
      lateApprovals: column.integer('>= 0'),
      /** The node that works on it, or did last. */
      owner: column.optional(column.text()),
      ...stamp,
    },
    {
      key: ['reference'],
      isWide: true,
      unique: { message: ['acquirer', 'stan', 'transmittedAt'], sequence: ['acquirer', 'sequence'] },
      indexes: {
        state: ['acquirer', 'state'],
        original: ['original'],
        card: ['acquirer', 'card', 'createdAtMs'],
        entity: ['entityId', 'state'],
        rrn: ['rrn'],
        reversal: ['reversalReference'],
        keyId: ['keyId'],
        booked: ['acquirer', 'bookedDay'],
        reversed: ['acquirer', 'reversedDay'],
      },
    },
  ),

  /** What became of the comparison of totals of a settlement day with the host. */
  linkTotals: table(
    'linkTotals',
    {
      /** Name of the acquirer. */
      acquirer: column.text(),
      /** Settlement day of the host, `yyyyMMdd`. */
      day: column.integer(),
      /** Number of the merchant at the acquirer. */
      acceptorId: column.text(),
      currency: column.text(),
      /** `refused`: the host compares none. */
      state: column.oneOf('due', 'equal', 'different', 'refused'),
      /** Objects (`ExchangeTotals`): those of the journal, and those of the host; null before they were compared. */
      ours: column.optional(column.json()),
      theirs: column.optional(column.json()),
      /** Times that the host has compared. */
      attempts: column.integer('>= 0'),
      /** When they are compared next, where that is so. */
      dueAtMs: column.integer(),
      ...stamp,
    },
    {
      key: ['acquirer', 'day', 'acceptorId', 'currency'],
      indexes: { day: ['acquirer', 'day'], state: ['state'] },
    },
  ),

  /** A line of a settlement file that a host has written: what it took or gave. */
  linkSettled: table(
    'linkSettled',
    {
      /** That of its settlement record. */
      id: column.text(),
      /** Name of the acquirer. */
      acquirer: column.text(),
      /** The exchange that it is about, by its retrieval reference number; null: unknown. */
      exchange: column.optional(column.text()),
      /** Settlement day of the host, `yyyyMMdd`. */
      day: column.integer(),
      /** In minor units; below zero: given to the cardholder. */
      minor: column.integer(),
      currency: column.text(),
      ...stamp,
    },
    { indexes: { exchange: ['exchange'] } },
  ),

  /** Settlement days of hosts whose files are imported: what is not in them is not settled. */
  linkFiles: table(
    'linkFiles',
    {
      /** Name of the acquirer. */
      acquirer: column.text(),
      /** Settlement day of the host, `yyyyMMdd`. */
      day: column.integer(),
      ...stamp,
    },
    { key: ['acquirer', 'day'] },
  ),

  /** Files that an acquirer has put into the place where the gateway looks for them. */
  acquirerFiles: table(
    'acquirerFiles',
    {
      /** Name of the acquirer. */
      acquirer: column.text(),
      name: column.text(),
      kind: column.oneOf('settlement', 'chargebacks'),
      /** `due`: the next look imports it; `quarantined`: nothing of it counts; `dropped`: by a person, it never is. */
      state: column.oneOf('due', 'imported', 'quarantined', 'dropped'),
      /** Of the file as it was last: bytes, when it was changed as the place writes it, SHA-256 (null: it was too long to read). */
      size: column.integer('>= 0'),
      modified: column.text(),
      digest: column.optional(column.text()),
      /** Rows; null: not read yet. */
      rows: column.optional(column.integer('>= 0')),
      /** Array of texts: what is wrong with it, as far as it is kept. */
      faults: column.json(),
      /** Why it was dropped. */
      note: column.optional(column.text()),
      ...stamp,
    },
    { key: ['acquirer', 'name'], indexes: { state: ['state'] } },
  ),

  /** What the gateway approved by itself, of a card and of all of them, on the last day on which it did. */
  standInCounts: table(
    'standInCounts',
    {
      /** Name of the acquirer. */
      acquirer: column.text(),
      /** Fingerprint of the card number; `*`: all cards together. */
      card: column.text(),
      /** `yyyyMMdd` in UTC. */
      day: column.text(),
      count: column.integer('> 0'),
      /** Object: minor units by currency. */
      sums: column.json(),
      /** When the day is over, and one more for clocks that differ. */
      expiresAtMs: column.integer(),
      version,
    },
    { key: ['acquirer', 'card'], indexes: { expiry: ['expiresAtMs'] } },
  ),

  /** Numbers of messages, and places of key serial numbers, that nodes take in blocks. */
  linkNumbers: table(
    'linkNumbers',
    {
      /** Name of the acquirer; of key serial numbers `/ksn` behind it. */
      acquirer: column.text(),
      /** First number of the next block. */
      nextSequence: column.integer('>= 0'),
      version,
    },
    {
      key: ['acquirer'],
    },
  ),

  /** That a database was put back, and has forgotten exchanges of a link. */
  linkGaps: table(
    'linkGaps',
    {
      /** Name of the acquirer. */
      acquirer: column.text(),
      /** Place of the last exchange that is known to be forgotten. */
      lastSequence: column.integer('>= 0'),
      foundAtMs: column.integer(),
      /** When an operator had compared it with the host, and what they say; null: that is to be done. */
      closedAtMs: column.optional(column.integer()),
      note: column.optional(column.text()),
      version,
    },
    { key: ['acquirer'] },
  ),

  /** When the zone keys of a link were exchanged last. */
  linkKeys: table(
    'linkKeys',
    {
      /** Name of the acquirer. */
      acquirer: column.text(),
      exchangedAtMs: column.integer(),
      version,
    },
    {
      key: ['acquirer'],
    },
  ),
};
