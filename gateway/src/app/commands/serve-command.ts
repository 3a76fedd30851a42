import { endSignal } from '@tillbridge/platform/end-signal.js';
import { startIsOver } from '@tillbridge/platform/start-is-over.js';
import type { GatewayConfig } from '../configuration/config.js';
import { type RunningGateway, startGateway } from '../wiring/serve.js';

/** How long the end may take before it is forced, in milliseconds. */
const SHUTDOWN_LIMIT_MS = 15_000;

/** `serve`: runs until SIGTERM or SIGINT, then ends cleanly. Prints one line when it takes requests. */
export async function serveUntilSignal(config: GatewayConfig): Promise<void> {
  const signalled = endSignal();
  const gateway = await startGateway(config);
  // Without a certificate SIGHUP ends the process, as the system has it.
  if (gateway.checkCertificate) process.on('SIGHUP', gateway.checkCertificate);
  process.stdout.write(`${listeningLine(gateway)}\n`);
  startIsOver();
  await signalled;
  setTimeout(() => {
    process.stderr.write(`the end took longer than ${SHUTDOWN_LIMIT_MS} ms and was forced\n`);
    process.exit(1);
  }, SHUTDOWN_LIMIT_MS).unref();
  await gateway.close();
}

/** The line with the addresses of the gateway. It has the real ports where 0 was configured. */
function listeningLine({ url, bridgeUrl, redirectPort }: RunningGateway): string {
  return `listening ${JSON.stringify({ url, bridgeUrl, redirectPort })}`;
}
