import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Server } from 'node:tls';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { NexoConfig } from '../../config/nexo.js';
import { NEXO_FILES } from '../../home/home-files.js';
import { VERSION } from '../../home/version.js';
import type { Journal } from '../../journal/journal.js';
import { LimitedLog } from '../../log/limited-log.js';
import type { AgentLog } from '../../log/log.js';
import type { StoreConfig } from '../../sale/receipts/store.js';
import type { SaleService } from '../../sale/service/sale-service.js';
import { DisplayNotifier, postDisplay } from '../display/display-notifier.js';
import { CertificateRenewal } from '../home/certificate-renewal.js';
import { ensureCertificate, serverNames } from '../home/nexo-home.js';
import { KeyFile } from '../keys/key-file.js';
import { KeyRing } from '../keys/key-ring.js';
import { TillRequests } from '../requests/till-requests.js';
import { NexoService } from '../service/nexo-service.js';
import { Sessions } from '../service/sessions.js';
import { Terminals } from '../service/terminals.js';
import { createNexoServer } from './nexo-server.js';

/** What serving needs of the agent. */
interface ServeNexoDeps extends Seams {
  readonly home: string;
  readonly sales: SaleService;
  readonly journal: Journal;
  readonly store: StoreConfig;
  /** Tag 9F16. */
  readonly merchantId: string;
  /** Of the store. */
  readonly currency: string;
  readonly log: AgentLog;
}

/** The part of an agent that serves tills by nexo. */
export interface NexoServing {
  /** Where tills post to. */
  readonly url: string;
  /** The certificate of the authority that tills trust, PEM. */
  readonly authorityFile: string;
  readonly keyFile: string;
  /** Takes no more requests; those that run are answered. */
  close(): Promise<void>;
  /** Closes connections whose clients do not read their answers. */
  closeAllConnections(): void;
}

/**
 * Begins to serve tills that speak nexo.
 * @throws NexoFileError, PortInUseError, or the operating system's error for an address that is not its own
 */
export async function serveNexo(config: NexoConfig, deps: ServeNexoDeps): Promise<NexoServing> {
  const { home, sales, journal, clock, random, merchantId, currency, store } = deps;
  const { host, port, plain, commonName, keyFile, displayUrls } = config;
  const log = new LimitedLog(deps.log, clock);
  const strangers = new StrangerLog({ log: deps.log, clock });
  const file = new KeyFile(home, keyFile, random);
  const keys = new KeyRing({ file, random, log });
  const ensure = () => ensureCertificate(home, serverNames(commonName), clock.nowMs(), random);
  const { tls } = await ensure();
  const requests = new TillRequests(journal, clock);
  const service = new NexoService({
    sales,
    requests,
    sessions: new Sessions(),
    terminals: new Terminals(sales),
    works: new Map(),
    reversals: new Map(),
    begins: new Map(),
    merchantId,
    currency,
    store,
    version: VERSION,
    clock,
    log,
  });
  const server = createNexoServer({ service, keys, tls, plain, log, strangers });
  await listenOn(port, 'NEXO_PORT', () =>
    server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port }),
  );
  const notifier = new DisplayNotifier({
    sales,
    requests,
    keys,
    urls: displayUrls,
    post: postDisplay,
    log,
  });
  const renewal = new CertificateRenewal(server.server as unknown as Server, tls.cert, {
    ensure,
    clock,
    log,
  });
  const { address, port: taken } = server.server.address() as AddressInfo;
  const url = `https://${hostAndPort(address, taken)}/nexo/`;
  deps.log.info({ url, plain }, 'tills that speak nexo are served');
  return {
    url,
    authorityFile: join(home, NEXO_FILES.authority),
    keyFile: file.path,
    close: async () => {
      await server.close();
      notifier.close();
      renewal.close();
      log.close();
      strangers.close();
    },
    closeAllConnections: () => server.server.closeAllConnections(),
  };
}
