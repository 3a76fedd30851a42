import { createHmac, createSecretKey } from 'node:crypto';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { isNamePattern, nameReader } from '@tillbridge/gateway/core/acquirers/configuration/file-names.js';
import { entityRow } from '@tillbridge/gateway/core/entities/entities.js';
import { postedParameters } from '@tillbridge/gateway/features/checkouts/routes/forms.js';
import { planJob } from '@tillbridge/gateway/features/schedules/rules/job-plan.js';
import { nextTimes } from '@tillbridge/gateway/features/schedules/rules/next-run.js';
import { MAX_COMMAND, readControlLines } from '@tillbridge/gateway/features/settlement/ftp/control-lines.js';
import { readCsvForm, STANDARD_FORM } from '@tillbridge/gateway/features/settlement/import/csv-form.js';
import { checkFile } from '@tillbridge/gateway/features/settlement/import/import-file.js';
import { RATE_HEADERS, readRates } from '@tillbridge/gateway/features/settlement/import/read-rates.js';
import { CSV_HEADERS } from '@tillbridge/gateway/features/settlement/rules/columns.js';
import { exchanged } from '@tillbridge/gateway/features/settlement/rules/exchange.js';
import { CRON_ORDER, cronExpressionError, cronFieldError } from '@tillbridge/gateway/kernel/api/cron.js';
import { parseForm } from '@tillbridge/gateway/kernel/api/form.js';
import { OperatorError } from '@tillbridge/gateway/kernel/errors/operator-error.js';
import { RequestRefused } from '@tillbridge/gateway/kernel/http/request/envelope.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import {
  decodeRecord,
  encodeRecord,
  recordKey,
} from '@tillbridge/gateway/security/restored-database/record-file.js';
import { TrustRecord } from '@tillbridge/gateway/security/restored-database/trust-record.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { type FileRow, fileLine, SETTLED_ROW } from '../clients/acquirer-file.js';
import { type FuzzTarget, fuzzTargets, PropertyError } from './target.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const MERCHANT = 'a'.repeat(32);
const clock = { nowMs: () => NOW_MS };
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const textOf = (input: Uint8Array): string => Buffer.from(input).toString('utf8');

const store = new MemoryStore();
await store.commit([{ op: 'insert', table: 'entities', row: entityRow(MERCHANT, 'Merchant', null, NOW_MS) }]);

const CHARGEBACK_ROW: FileRow = {
  ...SETTLED_ROW,
  ReconciliationType: 'CHARGEBACK',
  Cashflow: 'NEG',
  MerchantAccountId: MERCHANT,
  UniqueID: 'b'.repeat(32),
  AccountHolder: '"Müller; Söhne"',
  ReasonCode: '000.100.203',
};
const FILE = bytes([CSV_HEADERS.join(';'), fileLine(CHARGEBACK_ROW), ''].join('\n'));
const MAPPING = {
  delimiter: ',',
  columns: { Amount: 'Gross', Currency: 'Ccy' },
  values: { ReconciliationType: { S: 'SETTLED' } },
  defaults: { SettlementFileFormat: 'ACME' },
};

/** Files that acquirers and operators bring. */
const FILE_TARGETS = fuzzTargets([], {
  'settlement/file': {
    corpus: [FILE],
    run: async (input) => {
      let reported = 0;
      const reportLine = (line: number): void => {
        if (!Number.isInteger(line) || line < 0) throw new PropertyError(`line ${line} is no line`);
        reported += 1;
      };
      const { rows, wrong } = await checkFile(
        { store, clock, random, reportLine },
        Readable.from([input]),
        STANDARD_FORM,
      );
      if (wrong > rows || (wrong > 0 && reported === 0))
        throw new PropertyError(`${wrong} of ${rows} rows are wrong, and ${reported} faults were reported`);
    },
  },
  'settlement/mapping': {
    corpus: [bytes(JSON.stringify(MAPPING))],
    refusals: [OperatorError],
    run: async (input) => {
      const form = readCsvForm(textOf(input));
      await checkFile({ store, clock, random, reportLine: () => undefined }, Readable.from([FILE]), form);
    },
  },
  'settlement/file-names': {
    corpus: [
      'settlement-{day}.csv\nsettlement-20261123.csv',
      '*.csv\n..csv',
      'a_{day}-*.txt\na_2026-02-29-.txt',
    ].map(bytes),
    run: (input) => {
      const [pattern = '', name = ''] = textOf(input).split('\n', 2);
      if (!isNamePattern(pattern)) return;
      const found = nameReader(pattern)(name);
      if (found && (/[/\\\s]/.test(name) || name.startsWith('.') || name.length > 128))
        throw new PropertyError('a name that leads elsewhere was taken');
      if (found?.day !== undefined && !/^\d{8}$/.test(String(found.day).padStart(8, '0')))
        throw new PropertyError(`${found.day} is no day`);
    },
  },
  'settlement/rates': {
    corpus: [
      bytes(
        `${RATE_HEADERS.join(';')}\nUSD;EUR;0.923412;2026-11-20;\nJPY;EUR;0.0058;2026-11-20;2027-01-01\n`,
      ),
    ],
    run: async (input) => {
      const { rates } = await readRates(Readable.from([input]));
      for (const { rate, fromMs, untilMs, currency, settlementCurrency } of rates) {
        if (
          !Number.isSafeInteger(rate) ||
          rate <= 0 ||
          !Number.isSafeInteger(fromMs) ||
          untilMs === undefined
        )
          throw new PropertyError(`${rate} from ${fromMs} is no rate`);
        if (!Number.isSafeInteger(exchanged(1_000, currency, settlementCurrency, rate)))
          throw new PropertyError(`${rate} changes into no amount`);
      }
    },
  },
});

const RECORD_KEY = recordKey(createSecretKey(Buffer.alloc(32, 7)));
const RECORD = encodeRecord(RECORD_KEY, {
  ...{ database: 'd', home: 'h', markMs: 7, beganMs: 3 },
  entries: [
    { kind: 'token', id: 't', atMs: 4, notedMs: 4 },
    { kind: 'agent', id: 'a', atMs: 5, epoch: 9, isRevoked: true, key: 'k', generation: 2, notedMs: 5 },
    { kind: 'device', id: 's', atMs: 6, state: 'tampered', notedMs: 6 },
    { kind: 'counter', id: 's', atMs: 7, counter: 12, notedMs: 7 },
  ],
});
/** A MAC in hex and a line feed. */
const RECORD_MAC_LENGTH = 65;

/** The record of what was revoked, as it is found in a home: by itself, and its body under a MAC that fits. */
const RECORD_TARGET: FuzzTarget = {
  name: 'restore/record',
  corpus: [RECORD],
  refusals: [],
  run: (input) => {
    if (decodeRecord(RECORD_KEY, input) && !RECORD.equals(input))
      throw new PropertyError('a file was believed that no gateway has written');
    const body = input.subarray(RECORD_MAC_LENGTH);
    const mac = createHmac('sha256', RECORD_KEY).update('restore record\0').update(body).digest('hex');
    const file = decodeRecord(RECORD_KEY, Buffer.concat([bytes(`${mac}\n`), body]));
    if (!file) return;
    const record = new TrustRecord(file, () => file.markMs, { revoked: 1, counters: 1 });
    for (const entry of file.entries) record.note(entry);
    const { entries, beganMs } = record.written();
    if (entries.filter(({ kind }) => kind !== 'link').length > 2 || beganMs < file.beganMs)
      throw new PropertyError('the bounds of a record do not hold');
    if (!decodeRecord(RECORD_KEY, encodeRecord(RECORD_KEY, file)))
      throw new PropertyError('what was read cannot be written and read again');
  },
};

const NEEDS_TLS = /^(?:USER|PASS|ACCT)(?: |$)/i;

/** What clients of the FTP location send. The first byte selects the pieces in which it comes, and whether TLS begins. */
const FTP_TARGET: FuzzTarget = {
  name: 'ftp/commands',
  corpus: [
    bytes('\x40AUTH TLS\r\nUSER merchant\r\nPASS tb_secret\r\nLIST\r\n'),
    bytes('\x05USER a\r\nAUTH TLS\r\n'),
    bytes('\xa0PASV\r\nRETR a.csv\r\nQUIT\r\n'),
  ],
  refusals: [],
  run: async (input) => {
    const [how = 1, ...sent] = input;
    const socket = new Socket();
    let hasRequestedTls = false;
    const connection = {
      secure: how > 0x80,
      commands: {
        handle: async (command: string) => {
          if (command.length > MAX_COMMAND) throw new PropertyError('a command has no end');
          if (NEEDS_TLS.test(command) && !connection.secure)
            throw new PropertyError('a name or password was taken in clear');
          if (hasRequestedTls && !connection.secure)
            throw new PropertyError('what came in clear behind AUTH TLS was carried out');
          if (!/^AUTH(?: |$)/i.test(command) || connection.secure) return;
          hasRequestedTls = true;
          // The handshake ends some time later; or TLS is refused.
          await new Promise((resolve) => setImmediate(resolve));
          hasRequestedTls = false;
          connection.secure = how % 2 === 0;
        },
      },
      reply: async () => undefined,
    };
    readControlLines(socket, connection);
    const piece = Math.max(1, how & 0x7f);
    for (let from = 0; from < sent.length && !socket.destroyed; from += piece)
      socket.emit('data', Buffer.from(sent.slice(from, from + piece)));
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
  },
};

const PREVIEWED = 5;

/** The times of a plan come one after the other, none before the time of the request. */
function checkTimes(plan: Exclude<ReturnType<typeof planJob>, { code: string }>): void {
  const times = nextTimes(plan, NOW_MS, PREVIEWED);
  if (times.length === 0) throw new PropertyError('a plan was made that never runs');
  for (const [at, timeMs] of times.entries())
    if (timeMs < NOW_MS || timeMs <= (times[at - 1] ?? 0))
      throw new PropertyError(`run ${at} is at ${new Date(timeMs).toISOString()}`);
}

/** Calendars of merchants. */
const JOB_TARGETS = fuzzTargets([], {
  'schedules/expression': {
    corpus: [
      '0 0 9 * * ?',
      '0 0/15 8-18 ? * MON-FRI 2027-2030',
      '0 0 0 L * ?',
      '1,2 3 4 15W 2/2 ?',
      '0 0 12 ? * 6#3',
    ].map(bytes),
    run: (input) => {
      const expression = textOf(input);
      if (cronExpressionError(expression) !== undefined) return;
      const plan = planJob({ expression }, 'Europe/Berlin', NOW_MS);
      if (!('code' in plan)) checkTimes(plan);
    },
  },
  'schedules/job': {
    corpus: ['0;0;9;?;*;MON-FRI;*', '0;30;2;L;*;?;2026-2028', '*/5;1-10;*;1,15;1-12;?;*'].map(bytes),
    run: (input) => {
      const values = textOf(input).split(';');
      const sent = CRON_ORDER.map((name, at) => [name, values[at] ?? ''] as const);
      // An empty value counts as absent.
      const fields = sent.filter(([, value]) => value !== '');
      if (fields.some(([name, value]) => cronFieldError(value, name) !== undefined)) return;
      const job = Object.fromEntries(fields);
      const plan = planJob(job, 'America/New_York', NOW_MS);
      if (!('code' in plan)) checkTimes(plan);
    },
  },
});

/** What shoppers' browsers post. */
const CHECKOUT_TARGETS: readonly FuzzTarget[] = (['checkout-payment', 'checkout-registration'] as const).map(
  (operation) => ({
    name: `checkouts/${operation}`,
    corpus: [
      bytes(
        'paymentBrand=VISA&card.number=4200000000000000&card.expiryMonth=12&card.expiryYear=2031&card.cvv=123',
      ),
      bytes(
        'paymentBrand=DIRECTDEBIT_SEPA&bankAccount.iban=DE23100000001234567890&bankAccount.holder=J%C3%B6rg',
      ),
      bytes(
        'createRegistration=on&customParameters[SHOPPER_pluginId]=x&customer.browser.language=de&amount=1.00',
      ),
    ],
    refusals: [RequestRefused],
    run: (input: Uint8Array) => {
      const parsed = parseForm(input, 'application/x-www-form-urlencoded');
      const { values } = postedParameters(parsed, operation, undefined);
      for (const [name, value] of values)
        if (value === '') throw new PropertyError(`${name} is empty, and counts`);
    },
  }),
);

/** Settlement, schedules and checkouts. */
export const BACKOFFICE_TARGETS: readonly FuzzTarget[] = [
  ...FILE_TARGETS,
  FTP_TARGET,
  RECORD_TARGET,
  ...JOB_TARGETS,
  ...CHECKOUT_TARGETS,
];
