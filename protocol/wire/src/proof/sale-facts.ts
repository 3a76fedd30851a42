import { exactAmount } from '../payment/money.js';
import type { SaleRow } from './sale-proof.js';

/** What the rows of a sale say of it. */
export interface SaleFacts {
  /** `sale`, `refund` or `preauthorization`. */
  readonly type: string;
  /** The till's amount with its currency, such as `12.34 EUR`. */
  readonly amount: string;
  /** What the gateway approved, where it is another amount. */
  readonly approvedAmount?: string;
  readonly terminalId: string;
  /** The agent's clock, milliseconds since 1970. */
  readonly acceptedAtMs: number;
  /** `approved`, `declined` …; absent while it has no end. */
  readonly outcome?: string;
  /** `online`, `offline-card` or `offline-deferred`. */
  readonly mode?: string;
  readonly paymentId?: string;
}

type Data = Readonly<Record<string, unknown>>;

/** Reads a sale out of its rows, oldest first; undefined where they do not begin with its first row. */
export function saleFacts(rows: readonly SaleRow[]): SaleFacts | undefined {
  const [first] = rows;
  const request = first?.kind === 'accepted' ? part(dataOf(first), 'sale') : undefined;
  const amount = request && amountText(request.minor, request.currency);
  if (!first || !request || !amount || typeof request.type !== 'string') return undefined;
  const ended = rows.findLast(({ kind }) => kind === 'ended');
  const { outcome, mode } = ended ? dataOf(ended) : {};
  const answer = rows.map((row) => part(dataOf(row), 'answer')).findLast((each) => each !== undefined);
  const approved =
    answer?.disposition === 'approved' ? amountText(answer.amountMinor, answer.currency) : undefined;
  return {
    type: request.type,
    amount,
    ...(approved !== undefined && approved !== amount && { approvedAmount: approved }),
    terminalId: first.terminalId,
    acceptedAtMs: first.atMs,
    ...(typeof outcome === 'string' && { outcome }),
    ...(typeof mode === 'string' && { mode }),
    ...(typeof answer?.paymentId === 'string' && { paymentId: answer.paymentId }),
  };
}

/** EMV data of the last cryptogram that the rows of a sale have, as texts; undefined where they have none. */
export function cryptogramOf(rows: readonly SaleRow[]): Readonly<Record<string, string>> | undefined {
  const emv = rows.map((row) => part(dataOf(row), 'emv')).findLast((each) => typeof each?.ac === 'string');
  if (!emv) return undefined;
  return Object.fromEntries(
    Object.entries(emv).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function dataOf({ dataText }: SaleRow): Data {
  try {
    return asData(JSON.parse(dataText)) ?? {};
  } catch {
    return {};
  }
}

function part(data: Data, name: string): Data | undefined {
  return asData(data[name]);
}

function asData(value: unknown): Data | undefined {
  return typeof value === 'object' && value !== null ? (value as Data) : undefined;
}

function amountText(minor: unknown, currency: unknown): string | undefined {
  if (!Number.isSafeInteger(minor) || typeof currency !== 'string') return undefined;
  return `${exactAmount({ minor: minor as number, currency })} ${currency}`;
}
