/** Where the acquirer's own record is kept, and the token that opens it. */
export interface GatewayAccess {
  readonly url: string;
  readonly token: string;
}

/** What the gateway answered. */
export interface RelayedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Longest wait for the gateway. */
const TIMEOUT_MS = 10_000;
const PATH = '/v1/simulator/transactions';

/**
 * The acquirer's own record, relayed from the acquirer simulator inside the gateway.
 * No configured gateway: 503; one that cannot be reached or refuses: 502.
 */
export async function fetchHostTransactions(access: GatewayAccess | undefined): Promise<RelayedAnswer> {
  if (!access) {
    return failure(
      503,
      'no-gateway',
      'the acquirer’s record is in the gateway: set gateway.url and gateway.token',
    );
  }
  try {
    const response = await fetch(new URL(PATH, access.url), {
      headers: { authorization: `Bearer ${access.token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { status: 200, body: await response.json() };
    return failure(502, 'gateway-refused', `the gateway answered ${response.status} for ${PATH}`);
  } catch (error) {
    const reason =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    return failure(502, 'gateway-unreachable', `the gateway at ${access.url} cannot be asked: ${reason}`);
  }
}

function failure(status: number, code: string, message: string): RelayedAnswer {
  return { status, body: { error: { code, message } } };
}
