import { type BenchGateway, NO_THROTTLE, openBenchGateway } from './bench-gateway.js';
import { fillPayments, TEMPLATE_REFERENCE } from './fill-payments.js';

/** A gateway with many payments of its development merchant. */
export interface FilledGateway {
  readonly gateway: BenchGateway;
  /** Ids of some of them. */
  readonly ids: readonly string[];
}

/** A gateway that is stopped and has so many payments: the one that is given was made over REST, the others are its copies. */
export async function filledGateway(
  count: number,
  payment: Readonly<Record<string, string>>,
): Promise<FilledGateway> {
  const gateway = await openBenchGateway({ env: NO_THROTTLE });
  const [{ entityId, token }] = gateway.merchants;
  const answer = await fetch(`${gateway.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ entityId, ...payment, merchantTransactionId: TEMPLATE_REFERENCE }),
  });
  if (answer.status !== 200) throw new Error(`the first payment came to ${answer.status}`);
  await gateway.stop();
  return { gateway, ids: await fillPayments(gateway.home, count) };
}
