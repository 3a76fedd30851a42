import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { parseAmount } from '@tillbridge/wire/payment/money.js';
import { localText, localTime, startOfDay } from '@tillbridge/wire/text/local-time.js';
import { TOTAL_KINDS, type TotalsGroup } from '../../sale/totals/totals.js';
import { TOTALS_LABELS } from '../../sale/totals/totals-labels.js';
import { toBcd } from '../messages/bcd.js';
import { encodeText } from '../messages/character-set.js';
import type { Command } from '../messages/commands.js';
import type { Outgoing } from '../messages/outgoing.js';
import { completion, printed, statusInformation } from '../messages/reports.js';
import { RESULT, TERMINAL_STATUS } from '../messages/result-codes.js';
import { refuse, rightFault } from './money.js';
import type { Begun, Report, TillCall, ZvtPorts } from './ports.js';
import { columnsOf, refusalReport, resultOfRequest, saleReport } from './sale-reports.js';

const DONE: Report = { messages: [completion()], canWithhold: false, isFinal: true };
/** Of a request that its acknowledgement ends. */
const ACKNOWLEDGED: Report = { messages: [], canWithhold: false, isFinal: true };

function runs(report: Promise<Report>): Begun {
  return { kind: 'running', report };
}

/** What the terminal has sold today in the time zone of the store; nothing is reset. */
export async function totals(call: TillCall, ports: ZvtPorts): Promise<Begun> {
  const missing = rightFault(call, 'report');
  if (missing !== undefined) return refuse(missing);
  return runs(totalsReport(call, ports));
}

async function totalsReport({ till, registration }: TillCall, ports: ZvtPorts): Promise<Report> {
  const { sales, clock, store, currency, merchantId } = ports;
  const nowMs = clock.nowMs();
  const sinceMs = startOfDay(nowMs, store.timeZone);
  const { terminalId } = till;
  const groups = (await sales.totals({ sinceMs, untilMs: nowMs + 1, terminalId }, 'brand')).filter(
    (group) => group.currency === currency,
  );
  const net = groups.reduce((sum, group) => sum + netOf(group), 0);
  const individual = individualTotals(groups);
  const status = statusInformation({
    result: RESULT.ok,
    terminalId,
    merchantId,
    // A day with more refunds than sales has no amount that the field could show.
    ...(net >= 0 && { minor: net }),
    currency: currencyNumber(currency) ?? '000',
    at: localTime(nowMs, store.timeZone),
    ...(individual && { totals: individual }),
  });
  const lines = registration?.printsTotals ? totalsLines(groups, ports, columnsOf(registration)) : [];
  const receipt: readonly Outgoing[] =
    lines.length > 0 ? printed(lines, 'administration', registration?.takesTextBlocks ?? false) : [];
  return { messages: [status, ...receipt, completion()], canWithhold: false, isFinal: true };
}

function netOf({ net, currency }: TotalsGroup): number {
  const isNegative = net.startsWith('-');
  const { minor } = parseAmount(isNegative ? net.slice(1) : net, currency);
  return isNegative ? -minor : minor;
}

/** The order of the individual totals: girocard, JCB, Mastercard, American Express, Visa, Diners, and all others. */
const BRANDS: readonly string[] = ['GIROCARD', 'JCB', 'MASTER', 'AMEX', 'VISA', 'DINERS'];
const MAX_COUNT = 255;

/** Bitmap 60, without receipt numbers; undefined where a count or an amount does not fit. */
function individualTotals(groups: readonly TotalsGroup[]): Buffer | undefined {
  const sums = [...BRANDS, ''].map(() => ({ count: 0, minor: 0 }));
  for (const group of groups) {
    const at = BRANDS.indexOf(group.key.toUpperCase());
    const sum = sums[at < 0 ? BRANDS.length : at];
    if (!sum) continue;
    sum.count += group.approved.count + group.refunded.count;
    sum.minor += netOf(group);
  }
  if (sums.some(({ count, minor }) => count > MAX_COUNT || minor < 0)) return undefined;
  return Buffer.concat([
    Buffer.alloc(4),
    ...sums.map(({ count, minor }) => Buffer.concat([Buffer.of(count), toBcd(minor, 6)])),
  ]);
}

function totalsLines(
  groups: readonly TotalsGroup[],
  { store, clock }: ZvtPorts,
  columns: number,
): readonly string[] {
  const labels = TOTALS_LABELS[store.language];
  const pair = (name: string, value: string) =>
    `${name}${' '.repeat(Math.max(1, columns - name.length - value.length))}${value}`.slice(0, columns);
  return [
    labels.title,
    localText(clock.nowMs(), store.timeZone),
    ...(groups.length === 0 ? ['', labels.empty] : []),
    ...groups.flatMap((group) => [
      '',
      `${group.key || '-'} ${group.currency}`,
      ...TOTAL_KINDS.filter((kind) => group[kind].count > 0).map((kind) =>
        pair(`${labels[kind]} ${group[kind].count}`, group[kind].amount),
      ),
      pair(labels.net, group.net),
    ]),
  ];
}

/** The last request of the till once more: its result, and its receipts as duplicates. It acknowledges nothing. */
export async function repeatReceipt(
  { till, registration, command }: TillCall<Extract<Command, { readonly kind: 'repeat-receipt' }>>,
  ports: ZvtPorts,
): Promise<Begun> {
  const request = await ports.requests.last(till);
  if (!request) return refuse(RESULT.notPossible);
  return runs(
    (async () => {
      const answer = await ports.sales.get(request.reference);
      const result = resultOfRequest(request, answer);
      const about = { request, registration, result, reprintedAtMs: ports.clock.nowMs() };
      const { messages, ...report } = await saleReport(ports, answer, about);
      const isWanted = ({ role }: Outgoing): boolean =>
        role === 'outcome' ? command.wantsStatus : role !== 'print' || command.wantsReceipts;
      return { ...report, messages: messages.filter(isWanted), canWithhold: false };
    })(),
  );
}

/** Whether the gateway is reached. */
export async function diagnosis(_call: TillCall, { sales }: ZvtPorts): Promise<Begun> {
  const isReached = sales.status().gateway.state === 'up';
  return runs(Promise.resolve(isReached ? DONE : refusalReport(RESULT.noConnection)));
}

/** Nothing has to be initialized. */
export async function initialization(_call: TillCall, _ports: ZvtPorts): Promise<Begun> {
  return runs(Promise.resolve(DONE));
}

/** Version of the agent, and whether the terminal is ready. */
export async function statusEnquiry(
  { till, command }: TillCall<Extract<Command, { readonly kind: 'status-enquiry' }>>,
  { sales, version }: ZvtPorts,
): Promise<Begun> {
  const state = sales.terminals().find(({ id }) => id === till.terminalId)?.state;
  const code =
    state === 'ready'
      ? TERMINAL_STATUS.ready
      : state === 'busy'
        ? TERMINAL_STATUS.wait
        : TERMINAL_STATUS.outOfOrder;
  if (!command.wantsVersion)
    return runs(Promise.resolve({ ...DONE, messages: [completion(Buffer.of(code))] }));
  const software = encodeText(`tillbridge ${version}`);
  const length = [...String(software.length).padStart(3, '0')].map((digit) => 0xf0 + Number(digit));
  const data = Buffer.concat([Buffer.from(length), software, Buffer.of(code)]);
  return runs(Promise.resolve({ ...DONE, messages: [completion(data)] }));
}

/** Shows a text on the display of the terminal, where its maker lets it. */
export async function displayText(
  call: TillCall<Extract<Command, { readonly kind: 'display-text' }>>,
  { sales }: ZvtPorts,
): Promise<Begun> {
  const missing = rightFault(call, 'sell');
  if (missing !== undefined) return refuse(missing);
  const { text } = call.command;
  if (text === '') return runs(Promise.resolve(ACKNOWLEDGED));
  const outcome = await sales.device(call.till.terminalId, { kind: 'display', text });
  switch (outcome.kind) {
    case 'done':
      return runs(Promise.resolve(ACKNOWLEDGED));
    case 'failed':
      return refuse(outcome.failure === 'terminal-busy' ? RESULT.busy : RESULT.deviceMissing);
    default:
      return refuse(RESULT.notPossible);
  }
}
