import { ControlError } from '../errors/control-error.js';

/** Where the acquirer's own record is kept, and the token that opens it. */
export interface GatewayAccess {
  readonly url: string;
  readonly token: string;
}

/** Longest wait for the gateway. */
const TIMEOUT_MS = 10_000;
const PATH = '/v1/simulator/transactions';

/**
 * The acquirer's own record, relayed from the acquirer simulator inside the gateway.
 * @throws ControlError no-gateway, gateway-refused, gateway-unreachable
 */
export async function fetchHostTransactions(access: GatewayAccess | undefined): Promise<unknown> {
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
    if (response.ok) return await response.json();
    throw new ControlError('gateway-refused', `the gateway answered ${response.status} for ${PATH}`);
  } catch (error) {
    if (error instanceof ControlError) throw error;
    const reason =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    throw new ControlError('gateway-unreachable', `the gateway at ${access.url} cannot be asked: ${reason}`);
  }
}
