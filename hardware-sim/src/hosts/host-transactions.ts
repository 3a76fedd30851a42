import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { ControlError } from '../errors/control-error.js';
import type { TransactionRow } from './acquirer/rows/tables.js';
import { callAcquirerControl } from './acquirer-control.js';

/** Where the acquirer's own record is kept, and the token that opens it. */
export interface GatewayAccess {
  readonly url: string;
  readonly token: string;
}

/** Longest wait for the gateway. */
const TIMEOUT_MS = 10_000;
const PATH = '/v1/simulator/transactions';
/** Name of the acquirer behind the acquirer host. */
const EXTERNAL = 'EXTERNAL';

/**
 * The acquirers' own records: that of the acquirer simulator inside the gateway, then that of the acquirer host where one runs.
 * @param acquirerControlUrl REST control of the acquirer host; undefined: there is none
 * @throws ControlError no-gateway, gateway-refused, gateway-unreachable
 */
export async function fetchHostTransactions(
  access: GatewayAccess | undefined,
  acquirerControlUrl: string | undefined,
): Promise<readonly unknown[]> {
  const [internal, external] = await Promise.all([
    fetchInternal(access),
    callAcquirerControl(acquirerControlUrl, 'GET', '/transactions').catch((error: unknown) => {
      if (error instanceof ControlError) return [];
      throw error;
    }),
  ]);
  return [...internal, ...(external as readonly TransactionRow[]).map(asTransaction)];
}

/** A row of the acquirer host as the gateway shows those of its own simulator. */
function asTransaction(row: TransactionRow) {
  const { message, kind, isAdvice, currency, terminalId, last4Digits, amountMinor, requestedMinor } = row;
  const approved = row.approved === 1;
  const request = isAdvice === 1 ? 'advice' : 'authorization';
  return {
    acquirer: EXTERNAL,
    acquirerReference: message,
    kind: kind === 'sale' || kind === 'authorization' ? request : kind,
    amount: formatAmount({ minor: approved ? amountMinor : requestedMinor, currency }),
    currency,
    approved,
    reversed: approved && row.reversedMinor === amountMinor,
    terminalId,
    last4Digits,
    at: new Date(row.atMs).toISOString(),
  };
}

async function fetchInternal(access: GatewayAccess | undefined): Promise<readonly unknown[]> {
  if (!access)
    throw new ControlError(
      'no-gateway',
      'the acquirer’s record is in the gateway: set gateway.url and gateway.token',
    );
  try {
    const response = await fetch(new URL(PATH, access.url), {
      headers: { authorization: `Bearer ${access.token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return (await response.json()) as readonly unknown[];
    throw new ControlError('gateway-refused', `the gateway answered ${response.status} for ${PATH}`);
  } catch (error) {
    if (error instanceof ControlError) throw error;
    const reason =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    throw new ControlError(
      'gateway-unreachable',
      `the gateway at ${access.url} cannot be reached: ${reason}`,
    );
  }
}
