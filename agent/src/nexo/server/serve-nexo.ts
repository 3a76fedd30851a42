import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MessageCipher } from '@tillbridge/protocol/nexo/message-cipher.js';
import { hostAndPort, listenOn } from '@tillbridge/protocol/platform/net/listening.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { NexoConfig } from '../../config/nexo.js';
import { NEXO_FILES } from '../../home/home-files.js';
import { VERSION } from '../../home/version.js';
import type { Journal } from '../../journal/journal.js';
import type { AgentLog } from '../../log/log.js';
import type { SaleService } from '../../sale/service/sale-service.js';
import { DisplayNotifier, postDisplay } from '../display/display-notifier.js';
import { ensureCertificate, ensureMessageKey, serverNames } from '../home/nexo-home.js';
import { TillRequests } from '../requests/till-requests.js';
import { NexoService } from '../service/nexo-service.js';
import { Sessions } from '../service/sessions.js';
import { Terminals } from '../service/terminals.js';
import { createNexoServer } from './nexo-server.js';

/** What serving needs of the agent. */
export interface ServeNexoParts {
  readonly home: string;
  readonly sales: SaleService;
  readonly journal: Journal;
  /** Where a day of the store begins, by an IANA name. */
  readonly timeZone: string;
  /** Tag 9F16. */
  readonly merchantId: string;
  /** Of the store. */
  readonly currency: string;
  readonly clock: Clock;
  readonly random: Random;
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
  /** Gives up on answers that nobody takes. */
  closeAllConnections(): void;
}

/**
 * Begins to serve tills that speak nexo.
 * @throws NexoFileError, PortInUseError, or the operating system's error for an address that is not its own
 */
export async function serveNexo(config: NexoConfig, parts: ServeNexoParts): Promise<NexoServing> {
  const { home, sales, journal, clock, random, log, merchantId, currency, timeZone } = parts;
  const { host, port, plain, commonName, keyFile, displayUrls } = config;
  const key = ensureMessageKey(home, keyFile, random);
  const { tls } = await ensureCertificate(home, serverNames(commonName), clock.nowMs(), random);
  const cipher = new MessageCipher(key, random);
  const requests = new TillRequests(journal, clock);
  const service = new NexoService({
    sales,
    requests,
    sessions: new Sessions(),
    terminals: new Terminals(sales),
    acquisitions: new Map(),
    merchantId,
    currency,
    timeZone,
    version: VERSION,
    clock,
    log,
  });
  const server = createNexoServer({ service, cipher, tls, plain, log });
  await listenOn(port, 'NEXO_PORT', () =>
    server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port }),
  );
  const notifier = new DisplayNotifier({
    sales,
    requests,
    cipher,
    urls: displayUrls,
    post: postDisplay,
    log,
  });
  const { address, port: taken } = server.server.address() as AddressInfo;
  const url = `https://${hostAndPort(address, taken)}/nexo/`;
  log.info({ url, plain }, 'tills that speak nexo are served');
  return {
    url,
    authorityFile: join(home, NEXO_FILES.authority),
    keyFile: keyFile ?? join(home, NEXO_FILES.messageKey),
    close: async () => {
      await server.close();
      notifier.close();
    },
    closeAllConnections: () => server.server.closeAllConnections(),
  };
}
