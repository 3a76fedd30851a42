import type { AddressInfo } from 'node:net';
import { createLog } from '@tillbridge/platform/log/log.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { BankPayments } from '@tillbridge/wire/simulated-bank/bank-payments.js';
import { restApp } from '../rest/rest-app.js';
import { sheetRoutes } from '../wallets/sheet-routes.js';
import { acquirerRoutes, customerRoutes } from './bank-routes.js';

/** Random bytes of a customer's token: enough that it cannot be guessed. */
const TOKEN_BYTES = 24;

/** A running bank. */
interface RunningBank {
  readonly url: string;
  /** Forgets all payments. */
  close(): Promise<void>;
}

/**
 * Starts the simulated bank, with the sheets of simulated wallets. It keeps its payments in memory: after a restart it knows none of them.
 * @throws PortInUseError
 */
export async function startBank({ host, port }: { host: string; port: number }): Promise<RunningBank> {
  const log = createLog('tillbridge-bank', { level: 'warn', target: 'stderr' });
  const payments = new BankPayments(() => Buffer.from(systemRandom.bytes(TOKEN_BYTES)).toString('base64url'));
  const app = restApp({ hostNames: [], log });
  app.get('/healthz', () => ({ status: 'ok' }));
  acquirerRoutes(app, payments);
  customerRoutes(app, payments);
  sheetRoutes(app);
  await listenOn(port, '--port', () => app.listen({ host, port }));
  const { port: listening } = app.server.address() as AddressInfo;
  return { url: `http://${hostAndPort(host, listening)}`, close: () => app.close() };
}
